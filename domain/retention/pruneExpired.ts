import {
  deleteBatchesEndedBefore,
  deleteCodesCreatedBefore,
  deleteNoticesEndedBefore,
  deleteProgressCreatedBefore,
  deleteReportEmailsEndedBefore,
  deleteReportsOfWeeksBefore,
  deleteSeatsEndedBefore,
  deleteSessionsEndedBefore,
} from '../../db/repositories/retention/retention';
import { deleteSandboxEmailsBefore } from '../../db/repositories/sandbox/emails';
import { deleteExpiredAuditLog } from '../../db/repositories/auditLog/auditLog';
import { expireExports } from '../../db/repositories/exports/exports';
import { deleteStatisticsBefore } from '../../db/repositories/webhooks/endpointStatistics';
import { deleteExpiredIdempotencyKeys } from '../../db/repositories/idempotency/idempotencyKeys';
import { deleteClaimsBefore } from '../../db/repositories/signIn/accountClaims';
import { deleteEnrolmentCodesBefore } from '../../db/repositories/signIn/enrolmentCodes';
import { deleteMailboxChangesBefore } from '../../db/repositories/signIn/mailboxChanges';
import { deleteSignInsBefore } from '../../db/repositories/signIn/signIns';
import type { Sql } from '../../db/statement';
import type { Domain } from '../context';
import { checkCounts } from '../counts/checkCounts';
import { deleteFiles } from '../files/deleteFiles';
import { keepPartitionsOf } from './keepPartitions';
import { retentionCutoff } from './periods';

/** The kinds of rows that are pruned over all institutions. */
export type PrunedKind = 'sessions' | 'signInCodes' | 'provisioningBatches' | 'examNotices' | 'weeklyReportLetters' | 'weeklyReports' | 'auditLog' | 'seats' | 'alphaProgress' | 'idempotencyKeys' | 'sandboxEmails' | 'endpointStatistics' | 'signIns' | 'enrolmentCodes' | 'mailboxChanges' | 'accountClaims' | 'disclosures' | 'personExports' | 'rowCounts' | 'files';

type PruneDeps = Pick<Domain, 'database' | 'files'>;

interface PruneRule {
  chunk: number;
  /** Removes at most `limit` rows; returns how many. */
  remove: (tools: PruneDeps, now: Date, limit: number) => Promise<number>;
}

/** Returns a rule that deletes rows older than a kind's period. */
const pruneRows = (kind: Parameters<typeof retentionCutoff>[0], deleteBefore: (sql: Sql, before: Date, limit: number) => Promise<number>): PruneRule['remove'] =>
  ({ database }, now, limit) => deleteBefore(database.sql, retentionCutoff(kind, now), limit);

const pruneRules: Record<PrunedKind, PruneRule> = {
  sessions: { chunk: 5_000, remove: pruneRows('sessions', deleteSessionsEndedBefore) },
  signInCodes: { chunk: 5_000, remove: pruneRows('signInCodes', deleteCodesCreatedBefore) },
  // A batch has up to 200 rows.
  provisioningBatches: { chunk: 25, remove: pruneRows('provisioningBatches', deleteBatchesEndedBefore) },
  // A notice may have tens of thousands of recipients.
  examNotices: { chunk: 5, remove: pruneRows('examNotices', deleteNoticesEndedBefore) },
  // An institution's week may have thousands of reports and emails.
  weeklyReportLetters: { chunk: 5, remove: pruneRows('weeklyReportLetters', deleteReportEmailsEndedBefore) },
  weeklyReports: { chunk: 5, remove: pruneRows('weeklyReports', deleteReportsOfWeeksBefore) },
  // The database determines their age, independent of `now`. Months that have a partition go with it.
  auditLog: { chunk: 5_000, remove: ({ database }, _now, limit) => deleteExpiredAuditLog(database.sql, limit) },
  seats: { chunk: 5_000, remove: pruneRows('seats', deleteSeatsEndedBefore) },
  // The results stay: mastery, days, streaks and badges are stored separately.
  alphaProgress: { chunk: 5_000, remove: pruneRows('alphaProgress', deleteProgressCreatedBefore) },
  // The database determines their age.
  idempotencyKeys: { chunk: 5_000, remove: ({ database }, _now, limit) => deleteExpiredIdempotencyKeys(database.sql, limit) },
  sandboxEmails: { chunk: 5_000, remove: pruneRows('sandboxEmails', deleteSandboxEmailsBefore) },
  endpointStatistics: { chunk: 5_000, remove: pruneRows('endpointStatistics', deleteStatisticsBefore) },
  signIns: { chunk: 5_000, remove: pruneRows('signIns', deleteSignInsBefore) },
  enrolmentCodes: { chunk: 5_000, remove: pruneRows('enrolmentCodes', deleteEnrolmentCodesBefore) },
  mailboxChanges: { chunk: 5_000, remove: pruneRows('mailboxChanges', deleteMailboxChangesBefore) },
  accountClaims: { chunk: 5_000, remove: pruneRows('accountClaims', deleteClaimsBefore) },
  // The database determines their age; all expired months are dropped at once.
  disclosures: { chunk: Infinity, remove: (deps) => keepPartitionsOf('disclosures', deps) },
  // Their files are removed, and deleted with the others.
  personExports: { chunk: 1_000, remove: ({ database }, now, limit) => expireExports(database.sql, now, limit) },
  // Nothing is removed: institutions whose counts are compared with their rows.
  rowCounts: { chunk: 10, remove: ({ database }, now, limit) => checkCounts({ database }, now, limit) },
  files: { chunk: 100, remove: (deps, now, limit) => deleteFiles(deps, { storingSince: retentionCutoff('unfinishedFiles', now), now }, limit) },
};

/** Every kind of rows that housekeeping removes. */
export const prunedKinds = Object.keys(pruneRules) as PrunedKind[];

/**
 * Deletes one chunk of a kind's expired rows with their dependents; returns how many, and whether there may be more. The
 * periods are in `periods.ts`; that of the audit log is in the database.
 */
export async function pruneExpired(deps: PruneDeps, kind: PrunedKind, now: Date): Promise<{ removed: number; more: boolean }> {
  const { chunk, remove } = pruneRules[kind];
  const removed = await remove(deps, now, chunk);
  return { removed, more: removed === chunk };
}
