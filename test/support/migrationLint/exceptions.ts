/** The migrations that were released before there were the rules; they are not linted. */
interface Released {
  /** Why they may stay as they are. */
  readonly why: string;
  readonly migrations: readonly string[];
}

const released = 'A released migration stays as it is. A new database has no rows then; one that skips releases may hold up calls meanwhile.';

/** By the release that brought them, in order. */
export const releasedBefore: Readonly<Record<string, Released>> = {
  '0.5.0': {
    why: released,
    migrations: [
      'Foundation1795132800000', 'Recovery1795305600000', 'Replays1795392000000', 'Retention1795478400000', 'Exams1795564800000',
      'Submissions1795651200000', 'Money1795737600000', 'Guardians1795824000000', 'Alpha1795910400000', 'Audit1795996800000',
      'Devices1796083200000', 'Developers1796169600000', 'ProgressKept1796256000000',
    ],
  },
  '0.6.0': {
    why: released,
    migrations: [
      'SpendRefs1796342400000', 'SteadyWalks1796428800000', 'RestsInChunks1796601600000', 'ResentAttempts1796688000000',
      'WorkflowEpochs1796774400000', 'SignInEmails1796774500000', 'SignInShares1796860800000', 'QueueByInstitution1796947200000',
    ],
  },
  '0.8.0': {
    why: released,
    migrations: [
      'UniqueStudentIds1797033600000', 'Cursors1797120000000', 'IdempotencyKeys1797206400000', 'Sandbox1797292800000',
      'Clock1797379200000',
    ],
  },
  '0.9.0': {
    why: released,
    migrations: [
      'EndpointSending1797465600000', 'FindingDeliveries1797552000000', 'EndpointWarningsAndLimits1797638400000',
      'EndpointStatistics1797724800000', 'DeliveryEnds1797811200000',
    ],
  },
  '0.10.0': {
    why: `${released} Rows, checks and indexes of large tables are left to LargeTables, which the linter runs as well.`,
    migrations: [
      'Erasures1797984000000', 'Staff1798070400000', 'AccountProtection1798156800000', 'SignInHistory1798156800001', 'Quotas1798243200000',
      'Disclosures1798329600000', 'Offboarding1798502400000', 'SuspendedPeople1798506000000', 'LargeTables1798592400000',
    ],
  },
};

/** Why a migration may break a rule. */
interface Exception {
  readonly rule: string;
  /** The table, index or column. */
  readonly what: string;
  readonly why: string;
}

/** What later migrations may do all the same, by name. */
export const exceptions: Readonly<Record<string, readonly Exception[]>> = {
  Partitions1799700000000: [
    { rule: 'contract', what: 'events', why: 'The table from before becomes a partition of the new table with its name, in the same transaction.' },
  ],
  AttemptEventPartitions1800100000001: [{ rule: 'contract', what: 'attempt_events', why: 'The same.' }],
  AuditLogPartitions1800100000002: [{ rule: 'contract', what: 'audit_log', why: 'The same.' }],
  WebhookAttemptPartitions1800100000003: [{ rule: 'contract', what: 'webhook_attempts', why: 'The same.' }],
  DeliveryPartitions1801200000000: [
    { rule: 'contract', what: 'webhook_deliveries', why: 'The same; the view that the release before reads by is changed with it.' },
    { rule: 'rows-under-lock', what: 'partitioned_tables', why: 'A row for each of six tables, which the daily pass alone reads.' },
  ],
  DisclosurePartitions1800100000004: [
    { rule: 'contract', what: 'make_disclosure_partition(date)', why: 'The function that the release before calls no longer calls it.' },
  ],
};
