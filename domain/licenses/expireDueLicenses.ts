import { expireDue, institutionsWithDue } from '../../db/repositories/licenses/expiry';
import type { Domain, Transaction } from '../context';
import { emitExpired } from './requireLockedLicense';

/** How many licenses one transaction expires: one second's worth of events of one institution. */
export const expiryChunk = 500;

/**
 * Expires at most {@link expiryChunk} licenses of one institution whose time has passed, each with one
 * `license.expired`; answers how many. Two sweeps at once share the licenses, and neither waits for the other.
 */
export async function expireDueLicenses(tx: Transaction): Promise<number> {
  const expired = await expireDue(tx, tx.now, expiryChunk);
  for (const license of expired) emitExpired(tx, license, license.expires_at);
  return expired.length;
}

/** The next institutions with licenses to expire, in the order of their ids, from after `afterId` ('' for the first). */
export function institutionsToSweep({ database }: Pick<Domain, 'database'>, now: Date, afterId: string, limit: number): Promise<string[]> {
  return institutionsWithDue(database.sql, now, afterId, limit);
}
