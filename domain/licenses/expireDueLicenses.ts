import { expireDue, institutionsWithDue } from '../../db/repositories/licenses/expiry';
import type { Domain, Transaction } from '../context';
import { emitExpired } from './requireLockedLicense';

/** Maximum number of licenses that one transaction expires: the events of one institution in one second. */
export const expiryChunk = 500;

/**
 * Expires at most {@link expiryChunk} overdue licenses of one institution, each with one `license.expired`; returns how
 * many. Two concurrent sweeps divide the licenses without waiting for each other.
 */
export async function expireDueLicenses(tx: Transaction): Promise<number> {
  const expired = await expireDue(tx, tx.now, expiryChunk);
  for (const license of expired) emitExpired(tx, license, license.expires_at);
  return expired.length;
}

/** Returns the next institutions with overdue licenses, in the order of their ids, after `afterId` ('' for the first). */
export function institutionsToSweep({ database }: Pick<Domain, 'database'>, now: Date, afterId: string, limit: number): Promise<string[]> {
  return institutionsWithDue(database.sql, now, afterId, limit);
}
