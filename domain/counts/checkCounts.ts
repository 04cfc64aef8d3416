import { checkRowCounts, institutionsNotChecked } from '../../db/repositories/counts/rowCounts';
import type { Domain } from '../context';

/** Less than a day, so that a housekeeping a little earlier than the day before checks all again. */
const recheckAfterMs = 20 * 3_600_000;

/** Compares the counts of up to `limit` institutions with their rows, and corrects them; returns how many institutions. */
export async function checkCounts({ database: { sql } }: Pick<Domain, 'database'>, now: Date, limit: number): Promise<number> {
  const ids = await institutionsNotChecked(sql, new Date(now.getTime() - recheckAfterMs), limit);
  for (const institutionId of ids) await checkRowCounts({ institutionId, sql }, now);
  return ids.length;
}
