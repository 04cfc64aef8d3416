/** Why a statement that locks may read tables that it does not lock. */
export interface UnlockedRead {
  tables: string[];
  /** Why what was committed while the statement waited for its locks can be missed. */
  why: string;
}

const immutable = (tables: string[], what: string): UnlockedRead => ({ tables, why: `${what} never changes` });

/** What a statement that locks a person's row reads without a lock. */
const readUnderPersonLock: UnlockedRead = {
  tables: ['institution_emails', 'licenses'],
  why: 'the login email, the only part that anything is decided by, changes only as the person is erased, which their locked row says; the license is only shown',
};

const newestGeneration: UnlockedRead = { tables: ['event_clocks'], why: 'a generation that is older by then: the condition holds for the row all the same' };

/**
 * The statements of db/ that lock rows and read others without a lock, by path below db/repositories and constant or function. A statement that waits
 * for a lock reads the locked row as it is then, and everything else as it was when the statement began: a statement that
 * decides by both must lock first and read in a second statement. Those here need not.
 */
export const unlockedReads: Record<string, UnlockedRead> = {
  'devices/activations deleteOldest': { tables: ['activations'], why: 'under the lock of the license, which the transaction holds before; a device seen at that moment may be forgotten or not' },
  'alpha/enrollments insertMissing': { tables: ['alpha_enrollments'], why: 'under the locks of the students, which the transaction holds before: nobody else enrolls them' },
  'alpha/points write': { tables: ['alpha_points'], why: 'under the lock of the student, which the transaction holds before: nobody else writes their ledger' },
  'attempts/expiries abandon': { tables: ['exams'], why: 'the exam is held by a statement before' },
  'attempts/expiries move': { tables: ['exams'], why: 'the exam is locked by a statement before' },
  'attempts/expiries plan': { tables: ['attempts'], why: 'the run is locked by a statement before, under which attempts begin' },
  'webhooks/backlog probe': { tables: ['events', 'institutions'], why: 'a probe claimed as its institution is suspended is an attempt in flight, and an event with an open delivery is not pruned' },
  'webhooks/deliveryTables endingStatement': { tables: ['unknown'], why: 'what it is joined with are the rows that its caller has locked, attempts that were made, or the clock of an institution' },
  'coupons/coupons lockByCode': immutable(['coupon_batches'], 'value and expiry of an approved batch, which stays approved,'),
  'webhooks/deliveries lockOpen': { tables: ['events'], why: 'shown; a replay shares the lock of the event and looks whether it is there in a statement of its own' },
  'webhooks/deliveries lockEnded': { tables: ['events'], why: 'shown; a replay shares the lock of the event and looks whether it is there in a statement of its own' },
  'exams/assignments lockExams': { tables: ['exam_assignments'], why: 'only an order of locks: the group is locked next, and what is assigned by then is read after that' },
  'attempts/attempts lockExamForShare': immutable(['attempts'], 'the exam of an attempt'),
  'exams/notices gather': {
    tables: ['exam_assignments', 'exam_notice_recipients', 'exam_notices', 'group_members', 'guardian_links', 'users'],
    why: 'the notice is locked by the statement before, under which its recipients are written; recipients who leave a group, are suspended or unlinked meanwhile are checked again before each email',
  },
  'exams/notices numberNew': { tables: ['exam_assignments', 'group_members'], why: 'under the lock of the exam, which the transaction holds before; the count of members is one of the moment' },
  'exams/notices lockExamForShare': { tables: ['exam_notices'], why: 'waits only for a deletion, after which there is nothing; the emails look at the exam again' },
  'faculty/faculty lockById': readUnderPersonLock,
  'faculty/faculty lockByLoginEmail': readUnderPersonLock,
  'faculty/faculty lockTheAdmin': readUnderPersonLock,
  'faculty/faculty lockByIdForShare': readUnderPersonLock,
  'faculty/faculty lockByLoginEmailForShare': readUnderPersonLock,
  'faculty/faculty lockTheAdminForShare': readUnderPersonLock,
  'webhooks/fanOut fanOutText': {
    tables: ['head', 'webhook_endpoints'],
    why: 'the head of the queue is read for whose events are looked at; an endpoint that takes events as the statement begins, and is not among those it has locked, keeps all events of its institution in the queue, and one created later takes none of them',
  },
  'files/files lockUnused': { tables: ['exam_files'], why: 'only candidates: giveUpLocked asks again under the lock' },
  'files/files removeLockedUnused': { tables: ['exam_files'], why: 'the files are locked by the statement before: every transaction that used one of them has ended' },
  'files/files collectRemoved': { tables: ['exam_files', 'submission_attachments'], why: 'only stored files come into use; one that became stored meanwhile is left out by its own row' },
  'fills/rowFills fills': { tables: ['part', 'webhook_attempts'], why: 'an attempt that the statement does not see is newer than it: what recorded it wrote the error of its delivery, too' },
  'guardians/linkChanges verify': { tables: ['guardian_links', 'weekly_reports'], why: 'under the locks of guardian and institution, which the transaction holds before' },
  'guardians/links lockToChange': immutable(['guardian_links'], 'the guardian of a link'),
  'guardians/links lockToRemove': immutable(['guardian_links'], 'the guardian of a link'),
  'licenses/licenses lockById': { tables: ['institution_emails'], why: 'the login email is only shown' },
  'people/mailboxes clearMailbox': { tables: ['users'], why: 'the same row, which a statement before has locked' },
  'webhooks/openDeliveries endOpen': { tables: ['open_deliveries'], why: 'only candidates: their status is asked again under the lock' },
  'webhooks/openDeliveries retryStateFrom': { tables: ['institutions', 'webhook_endpoints'], why: 'only says whom to signal, and a signal is a hint: the workflow reads the truth' },
  'outbox/outbox claim': { tables: ['owed_workflows', 'workflow_epochs'], why: 'an earlier row that is gone meanwhile only puts a later one off until the next claim; an epoch is begun before API and workers start' },
  'outbox/openWorkflows claim': { tables: ['owed_workflows'], why: 'a start that is sent meanwhile makes the workflow one that is checked a moment later' },
  'webhooks/replays openCycle': { tables: ['webhook_attempts', 'webhook_endpoints'], why: 'endpoint and delivery are locked by statements before' },
  'webhooks/replays openDead': {
    tables: ['events', 'webhook_attempts', 'webhook_deliveries', 'webhook_endpoints', 'webhook_replays'],
    why: 'only candidates: their status is asked again under the lock, and a ref is unique in its delivery; the endpoint is held by a statement before',
  },
  'webhooks/clockPauses finishClockPause': { tables: ['webhook_endpoints'], why: 'the institution of an endpoint never changes; that all deadlines include a pause stays true, as it is added to no delivery created after its end' },
  'webhooks/clockPauses pauseClock': { tables: ['institutions'], why: 'pausing and suspending hold the institution before' },
  'webhooks/clockPauses resumeClock': { tables: ['institutions', 'webhook_endpoints'], why: 'resuming holds the institution before, without which no endpoint is paused, resumed, disabled or deleted, and no other rest ends' },
  'webhooks/clockPauses extendDeadlinesText': { tables: ['webhook_endpoints'], why: 'a delivery whose deadline got a pause since the statement began is left to the next one; until then, the pause that was read is still to be added to it' },
  'retention/partitions deleteReplays': { tables: ['open_deliveries', 'webhook_replays'], why: 'a delivery that is older than its period cannot be replayed any more: its event is gone' },
  'retention/retention prune': { tables: ['event_queue', 'open_deliveries'], why: 'the events are locked by the statement before, and a replay shares that lock' },
  'retention/retention deleteEndpoints': { tables: ['deliveries'], why: 'an endpoint that was deleted 90 days ago gets no deliveries any more' },
  'retention/retention deleteReportEmails': { tables: ['weekly_report_letters'], why: 'only candidates: a week without emails loses none' },
  'webhooks/retries claimOne': {
    tables: ['events', 'institutions', 'open_deliveries', 'webhook_endpoints'],
    why: 'a delivery claimed as its endpoint is paused is an attempt in flight; a delivery whose deadline got a pause while the statement waited is claimed by a second one',
  },
  'webhooks/retries holdOne': immutable(['open_deliveries'], 'the endpoint of a delivery'),
  'devices/seats evict': { tables: ['seats'], why: 'under the lock of the license, which the transaction holds before; a seat that its session ends meanwhile is left out by its own row' },
  'sandbox/clock makeRetriesDue': { tables: ['webhook_endpoints'], why: 'pausing, resuming and recorded failures hold the institution, which the transaction has locked before; a circuit that closes meanwhile only takes the last attempt of a delivery whose time is over' },
  'webhooks/sending claimPending': { tables: ['events', 'institutions', 'webhook_endpoints'], why: 'a delivery claimed as its endpoint is paused is an attempt in flight; a delivery whose deadline got a pause since the statement began is left to the next claim' },
  'webhooks/sending endOverdue': { tables: ['institutions', 'open_deliveries', 'webhook_endpoints'], why: 'only candidates, by the clock of the moment: a deadline that a resume has moved is asked again of the locked row; what was past before a pause began is past' },
  'webhooks/sending releaseLapsed': { tables: ['open_deliveries'], why: 'only candidates: their claim is asked again under the lock' },
  'sandbox/emails deleteOld': { tables: ['institutions', 'sandbox_emails'], why: 'an email is never changed, and one of a sandbox whose clock is moved meanwhile is left to the next time' },
  'sandbox/emails trim': { tables: ['sandbox_emails'], why: 'an email is never changed, and one that comes meanwhile is followed by a trim of its own' },
  'sandbox/erasure end': { tables: ['institutions'], why: 'the config of the institution is copied as it is at some moment' },
  'offboarding/institution eraseLastRows': { tables: ['unknown'], why: 'every row of the institution is deleted, with any values; one that is changed meanwhile is left to the next chunk' },
  'sandbox/erasure eraseRows': { tables: ['unknown'], why: 'every row of the sandbox is deleted, with any values; one that is changed meanwhile is left to the next chunk' },
  'sandbox/erasure wallets': { tables: ['wallets'], why: 'every wallet of the sandbox is emptied, with any balance' },
  'sandbox/sandboxes mark': { tables: ['institutions'], why: 'the institution is locked by a statement before' },
  'signIn/emails enqueue': { tables: ['sign_in_emails'], why: 'only chooses a place: one that is taken meanwhile makes the two requests one' },
  'webhooks/stuckDeliveries handOver': { tables: ['open_deliveries', 'waiting'], why: 'only a way to walk the index: nothing but endpoint ids is read' },
  'webhooks/stuckDeliveries closeLost': { tables: ['owed_workflows'], why: 'a backlog opened again meanwhile has a later opening, which its own row says' },
  'students/students lockById': readUnderPersonLock,
  'students/students lockByLoginEmail': readUnderPersonLock,
  'students/students lockByIdForShare': readUnderPersonLock,
  'students/students lockByLoginEmailForShare': readUnderPersonLock,
  'submissions/changes lockExamFor': immutable(['submissions'], 'the exam of a submission'),
  'merits/wallets lockByIdForShare': immutable(['institution_emails'], 'the login email'),
  'merits/wallets lockByLoginEmailForShare': immutable(['institution_emails'], 'the login email'),
  'reports/weeklyEmails gather': { tables: ['guardian_links', 'weekly_reports'], why: 'under the lock of the institution, which the transaction holds before: reports are written and links verified under it' },
  'function forget_institution': { tables: ['audit_log', 'disclosures'], why: 'what is logged never changes' },
  'function forget_audited': { tables: ['audit_log'], why: 'what is logged never changes' },
  'events/clock writeOffset': newestGeneration,
  'events/clock reset': newestGeneration,
  'function stamp_events': newestGeneration,
  'function count_attempts': { tables: ['endpoint_statistics', 'recorded'], why: 'the rows that the statement has just inserted; a generation that is older by then, as above' },
  'function record_failures': { tables: ['institutions', 'webhook_deliveries', 'webhook_endpoints'], why: 'institutions and endpoints are locked by statements before; a claim that was lost meanwhile is asked again of the delivery itself' },
  'function note_successes': { tables: ['webhook_attempts', 'webhook_endpoints'], why: 'the endpoints are locked by the statement before' },
};
