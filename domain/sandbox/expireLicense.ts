import { updateLicense, type LicenseRow } from '../../db/repositories/licenses/licenses';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { applyExpiry, requireLockedLicense } from '../licenses/requireLockedLicense';

/**
 * Lets the term of an active license end now, and expires it as the sweep and the check-in of an app do (`license.expired`).
 * No-op for an expired license; `conflict` for a suspended, revoked or lifetime one, which do not expire.
 */
export async function expireLicense(tx: Transaction, id: string): Promise<LicenseRow> {
  const license = await requireLockedLicense(tx, id);
  if (license.status === 'expired') return license;
  if (license.status !== 'active') throw new DomainError('conflict', `The license is ${license.status}; only an active license expires.`);
  if (license.expires_at === null) throw new DomainError('conflict', 'A lifetime license does not expire.');
  await updateLicense(tx, license.id, { expiresAt: tx.now }, tx.now);
  return applyExpiry(tx, { ...license, expires_at: tx.now });
}
