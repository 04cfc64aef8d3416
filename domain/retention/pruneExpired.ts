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
import { deleteExpiredAuditLog } from '../../db/repositories/auditLog/auditLog';
import type { Sql } from '../../db/statement';
import type { Domain } from '../context';
import { deleteFiles } from '../files/deleteFiles';
import { retentionCutoff } from './periods';

/** What is tidied up over all institutions, because nobody reads it any more. */
export type PrunedKind = 'sessions' | 'signInCodes' | 'provisioningBatches' | 'examNotices' | 'weeklyReportLetters' | 'weeklyReports' | 'auditLog' | 'seats' | 'alphaProgress' | 'files';

type PruneDeps = Pick<Domain, 'database' | 'files'>;

interface PruneRule {
  chunk: number;
  /** Removes so many at most; answers how many. */
  remove: (tools: PruneDeps, now: Date, limit: number) => Promise<number>;
}

/** Rows that were over a kind's period ago. */
const pruneRows = (kind: Parameters<typeof retentionCutoff>[0], deleteBefore: (sql: Sql, before: Date, limit: number) => Promise<number>): PruneRule['remove'] =>
  ({ database }, now, limit) => deleteBefore(database.sql, retentionCutoff(kind, now), limit);

const pruneRules: Record<PrunedKind, PruneRule> = {
  sessions: { chunk: 5_000, remove: pruneRows('sessions', deleteSessionsEndedBefore) },
  signInCodes: { chunk: 5_000, remove: pruneRows('signInCodes', deleteCodesCreatedBefore) },
  // A batch has up to 200 rows.
  provisioningBatches: { chunk: 25, remove: pruneRows('provisioningBatches', deleteBatchesEndedBefore) },
  // A notice may have tens of thousands of recipients.
  examNotices: { chunk: 5, remove: pruneRows('examNotices', deleteNoticesEndedBefore) },
  // An institution's week may have thousands of reports, and of letters.
  weeklyReportLetters: { chunk: 5, remove: pruneRows('weeklyReportLetters', deleteReportEmailsEndedBefore) },
  weeklyReports: { chunk: 5, remove: pruneRows('weeklyReports', deleteReportsOfWeeksBefore) },
  // How old they are is for the database to say, whatever the time here.
  auditLog: { chunk: 5_000, remove: ({ database }, _now, limit) => deleteExpiredAuditLog(database.sql, limit) },
  seats: { chunk: 5_000, remove: pruneRows('seats', deleteSeatsEndedBefore) },
  // What followed from it stays: mastery, days, streaks and badges are kept beside it.
  alphaProgress: { chunk: 5_000, remove: pruneRows('alphaProgress', deleteProgressCreatedBefore) },
  files: { chunk: 100, remove: (deps, now, limit) => deleteFiles(deps, { storingSince: retentionCutoff('unfinishedFiles', now), now }, limit) },
};

/** Every kind of rows that housekeeping removes. */
export const prunedKinds = Object.keys(pruneRules) as PrunedKind[];

/**
 * Deletes one chunk of what is kept no longer of a kind, with what hangs on it. How long it is kept stands in `periods.ts`;
 * of the audit log the database knows. Answers how many, and whether there may be more.
 */
export async function pruneExpired(deps: PruneDeps, kind: PrunedKind, now: Date): Promise<{ removed: number; more: boolean }> {
  const { chunk, remove } = pruneRules[kind];
  const removed = await remove(deps, now, chunk);
  return { removed, more: removed === chunk };
}
