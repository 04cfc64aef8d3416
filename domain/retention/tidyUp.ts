import { deleteBatchesEndedBefore, deleteCodesCreatedBefore, deleteSessionsOverBefore } from '../../db/repositories/retention';
import type { Sql } from '../../db/statement';
import type { Domain } from '../context';
import { keptSince } from './periods';

/** What is tidied up over all institutions, because nobody reads it any more. */
export type TidiedKind = 'sessions' | 'signInCodes' | 'provisioningBatches';

interface Tidying {
  chunk: number;
  remove: (sql: Sql, before: Date, limit: number) => Promise<number>;
}

const tidyings: Record<TidiedKind, Tidying> = {
  sessions: { chunk: 5_000, remove: deleteSessionsOverBefore },
  signInCodes: { chunk: 5_000, remove: deleteCodesCreatedBefore },
  // A batch has up to 200 rows.
  provisioningBatches: { chunk: 25, remove: deleteBatchesEndedBefore },
};

/**
 * Deletes one chunk of what was over 30 days ago: sessions ended or expired by then, sign-in codes of then, batches
 * that ended by then with their rows. Answers how many, and whether there may be more.
 */
export async function tidyUp({ database }: Pick<Domain, 'database'>, kind: TidiedKind, now: Date): Promise<{ removed: number; more: boolean }> {
  const { chunk, remove } = tidyings[kind];
  const removed = await remove(database.sql, keptSince(kind, now), chunk);
  return { removed, more: removed === chunk };
}
