/** How often a source asks for the real time, and why it is not the time of an institution. */
export interface RealTimeRead {
  reads: number;
  why: string;
}

const lease = 'leases and pauses of processes';

/** The sources that ask the machine or the database for the time, by path. Rules are not among them: they take the time of their caller. */
export const realTimeReads: Record<string, RealTimeRead> = {
  'activities/activityNow.ts': { reads: 1, why: 'the one place in which activities ask, and move it to the clock of their institution' },
  'activities/emails/emailSender.ts': { reads: 1, why: 'a kept email is moved to the clock of the sandbox where it is written' },
  'api/http/dispatch.ts': { reads: 2, why: 'whether a body was slow' },
  'api/http/requestId.ts': { reads: 1, why: 'authentication, rate limits and log lines; the caller of an operation gets a time of its own' },
  'api/http/response/fileDownloads.ts': { reads: 1, why: 'the deadline of a signed URL' },
  'api/operations/signIn/rejectSignIn.ts': { reads: 1, why: 'how long a rejection takes' },
  'api/start.ts': { reads: 1, why: 'the age of files in the spool folder' },
  'db/databaseClock.ts': { reads: 2, why: 'estimates the time of Postgres, which its users move' },
  'db/functions/begin_workflow_epoch.sql': { reads: 1, why: 'names the restore of a backup' },
  'db/functions/claim_idempotency_key.sql': { reads: 1, why: 'a repeated call is one of the network: its 24 hours are real' },
  'db/functions/expired_partitions.sql': { reads: 1, why: 'an id begins with the real time' },
  'db/functions/forget_audited.sql': { reads: 1, why: 'the audit log is evidence of what people did, and when' },
  'db/functions/make_partition.sql': { reads: 2, why: 'an id begins with the real time' },
  'db/functions/may_forget_institution.sql': { reads: 1, why: 'the audit log is evidence of what people did, and when' },
  'db/functions/open_backlogs.sql': { reads: 1, why: 'when a start was appended to the outbox: one that is lost is found by the real time' },
  'db/functions/partition_is_needed.sql': { reads: 1, why: 'the audit log is evidence of what people did, and when' },
  'db/functions/record_failures.sql': { reads: 1, why: 'says "at once": no clock is behind the real one' },
  'db/functions/refuse_audit_change.sql': { reads: 1, why: 'the audit log is evidence of what people did, and when' },
  'db/functions/stamp_events.sql': { reads: 1, why: 'moved by the offset in the row of the event clock' },
  'db/functions/take_delivery_slots.sql': { reads: 1, why: 'a rate limit is one of the network: its seconds are real' },
  'db/replica.ts': { reads: 2, why: 'how long a replica that failed is not asked is a time of the network' },
  'db/repositories/auditLog/export.ts': { reads: 1, why: 'what is older than every open transaction' },
  'db/repositories/erasure/people.ts': { reads: 1, why: 'compared with the begin of open transactions, which is by the same clock' },
  'db/repositories/idempotency/idempotencyKeys.ts': { reads: 3, why: 'a repeated call is one of the network: its 24 hours are real' },
  'db/repositories/outbox/openWorkflows.ts': { reads: 2, why: 'when Temporal is asked for a workflow next' },
  'db/repositories/outbox/outbox.ts': { reads: 3, why: lease },
  'db/repositories/sandbox/erasure.ts': { reads: 1, why: 'since when a sandbox is being reset, after which its clock is the real one' },
  'db/repositories/signIn/codes.ts': { reads: 1, why: 'when an email was given up, which is only shown' },
  'db/repositories/signIn/emails.ts': { reads: 5, why: `${lease}, and how long a code waits to be sent` },
  'db/repositories/support/search.ts': { reads: 2, why: 'whether an API key or a token of the staff has expired, as authentication takes it' },
  'db/repositories/support/delivery.ts': { reads: 1, why: lease },
  'db/repositories/webhooks/rateLimits.ts': { reads: 1, why: lease },
  'db/repositories/webhooks/retries.ts': { reads: 1, why: lease },
  'db/repositories/webhooks/sending.ts': { reads: 6, why: `${lease}; the claim says how far the clock of its institution is ahead` },
  'domain/webhooks/pingEndpoint.ts': { reads: 1, why: 'the timestamp of a signature, which receivers compare with their own clock' },
  'domain/clock.ts': { reads: 1, why: 'the one place in which the API asks, and moves it to the clock of the institution' },
  'domain/exports/storeArchive.ts': { reads: 2, why: 'how long an archive has taken, by which the time of its caller is moved on' },
  'outbound/temporal/engine.ts': { reads: 1, why: 'the deadline of a call' },
  'outbound/temporal/workerVersions.ts': { reads: 1, why: 'when a worker last polled Temporal' },
  'worker/abandonedBatches.ts': { reads: 1, why: 'moved by the offset of each institution in the statement' },
  'worker/dependencies.ts': { reads: 1, why: 'the timeout of a call' },
  'worker/gauges.ts': { reads: 1, why: 'metrics of the service' },
  'worker/reseal/status.ts': { reads: 1, why: 'which invitations can still be accepted, as operators are shown it' },
  'worker/scheduleGauges.ts': { reads: 1, why: 'compared with the runs of Schedules, which are by the real clock' },
  'worker/signIn/codeEmailSender.ts': { reads: 1, why: 'moved by the offset of the account where the code is issued' },
  'worker/start.ts': { reads: 1, why: 'the age of files in the spool folder' },
  'worker/temporal.ts': { reads: 1, why: 'the deadline of a call' },
};
