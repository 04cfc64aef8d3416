import { updateLicense, type LicenseRow } from '../../db/repositories/licenses/licenses';
import { endSeats } from '../../db/repositories/devices/seats';
import type { Transaction } from '../context';
import { requireLockedLicense } from './requireLockedLicense';
import { licenseTransitions } from './transitions';

/**
 * Revokes a license: its seats end immediately, app sessions at their next heartbeat. No-op if already revoked; the first
 * reason stays.
 */
export async function revokeLicense(tx: Transaction, id: string, reason: string | null): Promise<LicenseRow> {
  const license = await requireLockedLicense(tx, id);
  const status = licenseTransitions.revoke[license.status];
  if (status === license.status) return license;
  await updateLicense(tx, license.id, { status, revokedAt: tx.now, revokeReason: reason }, tx.now);
  await endSeats(tx, 'license', license.id, 'revoked', tx.now);
  return { ...license, status, revoked_at: tx.now, revoke_reason: reason };
}
