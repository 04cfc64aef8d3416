import { lockLicense, updateLicense, type LicenseRow } from '../../db/repositories/licenses/licenses';
import type { Transaction } from '../context';
import { requireFound } from '../errors';
import { licenseStatusAt } from './expiry';

/** Emits `license.expired` for an overdue license. */
export function emitExpired(tx: Transaction, license: Pick<LicenseRow, 'id' | 'license_type' | 'user_id'>, expiredAt: Date): void {
  tx.emit('license.expired', {
    license_id: license.id,
    license_type: license.license_type,
    user_id: license.user_id,
    expired_at: expiredAt.toISOString(),
  });
}

/** Expires a locked license if overdue and emits `license.expired`; returns the license. */
export async function applyExpiry(tx: Transaction, license: LicenseRow): Promise<LicenseRow> {
  const status = licenseStatusAt(license.status, license.expires_at, tx.now);
  if (status === license.status || license.expires_at === null) return license;
  await updateLicense(tx, license.id, { status }, tx.now);
  emitExpired(tx, license, license.expires_at);
  return { ...license, status };
}

/**
 * Returns a license locked for a change. An expiry that neither sweep nor check-in has noticed is recorded first, so that
 * each expiry is announced once. `not_found` if the institution has no such license.
 */
export async function requireLockedLicense(tx: Transaction, id: string): Promise<LicenseRow> {
  const license = requireFound(await lockLicense(tx, id), 'license');
  return applyExpiry(tx, license);
}
