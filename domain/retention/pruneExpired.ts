import {
  deleteBatchesEndedBefore,
  deleteCodesCreatedBefore,
  deleteNoticesEndedBefore,
  deleteProgressToldBefore,
  deleteReportLettersEndedBefore,
  deleteReportsOfWeeksBefore,
  deleteSeatsEndedBefore,
  deleteSessionsOverBefore,
} from '../../db/repositories/retention/retention';
import { forgetAudited } from '../../db/repositories/auditLog/auditLog';
import type { Sql } from '../../db/statement';
import type { Domain } from '../context';
import { deleteFiles } from '../files/deleteFiles';
import { keptSince } from './periods';

/** What is tidied up over all institutions, because nobody reads it any more. */
export type TidiedKind = 'sessions' | 'signInCodes' | 'provisioningBatches' | 'examNotices' | 'weeklyReportLetters' | 'weeklyReports' | 'auditLog' | 'seats' | 'alphaProgress' | 'files';

type Tools = Pick<Domain, 'database' | 'files'>;

interface Tidying {
  chunk: number;
  /** Removes so many at most; answers how many. */
  remove: (tools: Tools, now: Date, limit: number) => Promise<number>;
}

/** Rows that were over a kind's period ago. */
const rows = (kind: Parameters<typeof keptSince>[0], deleteBefore: (sql: Sql, before: Date, limit: number) => Promise<number>): Tidying['remove'] =>
  ({ database }, now, limit) => deleteBefore(database.sql, keptSince(kind, now), limit);

const tidyings: Record<TidiedKind, Tidying> = {
  sessions: { chunk: 5_000, remove: rows('sessions', deleteSessionsOverBefore) },
  signInCodes: { chunk: 5_000, remove: rows('signInCodes', deleteCodesCreatedBefore) },
  // A batch has up to 200 rows.
  provisioningBatches: { chunk: 25, remove: rows('provisioningBatches', deleteBatchesEndedBefore) },
  // A notice may have tens of thousands of recipients.
  examNotices: { chunk: 5, remove: rows('examNotices', deleteNoticesEndedBefore) },
  // An institution's week may have thousands of reports, and of letters.
  weeklyReportLetters: { chunk: 5, remove: rows('weeklyReportLetters', deleteReportLettersEndedBefore) },
  weeklyReports: { chunk: 5, remove: rows('weeklyReports', deleteReportsOfWeeksBefore) },
  // How old they are is for the database to say, whatever the time here.
  auditLog: { chunk: 5_000, remove: ({ database }, _now, limit) => forgetAudited(database.sql, limit) },
  seats: { chunk: 5_000, remove: rows('seats', deleteSeatsEndedBefore) },
  // What followed from it stays: mastery, days, streaks and badges are kept beside it.
  alphaProgress: { chunk: 5_000, remove: rows('alphaProgress', deleteProgressToldBefore) },
  files: { chunk: 100, remove: (tools, now, limit) => deleteFiles(tools, { storingSince: keptSince('unfinishedFiles', now), now }, limit) },
};

/** Every kind of rows that housekeeping removes. */
export const tidiedKinds = Object.keys(tidyings) as TidiedKind[];

/**
 * Deletes one chunk of what is kept no longer of a kind, with what hangs on it. How long it is kept stands in `periods.ts`;
 * of the audit log the database knows. Answers how many, and whether there may be more.
 */
export async function tidyUp(tools: Tools, kind: TidiedKind, now: Date): Promise<{ removed: number; more: boolean }> {
  const { chunk, remove } = tidyings[kind];
  const removed = await remove(tools, now, chunk);
  return { removed, more: removed === chunk };
}
