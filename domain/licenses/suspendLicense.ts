import type { LicenseStatus } from '../../db/entities/license';
import { updateLicense, type LicenseRow } from '../../db/repositories/licenses/licenses';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { applyExpiry, requireLockedLicense } from './requireLockedLicense';
import { licenseTransitions } from './transitions';

async function transition(tx: Transaction, license: LicenseRow, status: LicenseStatus): Promise<LicenseRow> {
  if (status === license.status) return license;
  await updateLicense(tx, license.id, { status }, tx.now);
  return { ...license, status };
}

/**
 * Suspends an active license: its time goes on, nobody takes a seat on it, and it does not expire meanwhile. A suspended one is
 * answered unchanged; `conflict` for one that is expired or revoked.
 */
export async function suspendLicense(tx: Transaction, id: string): Promise<LicenseRow> {
  const license = await requireLockedLicense(tx, id);
  const status = licenseTransitions.suspend[license.status];
  if (status === 'conflict') throw new DomainError('conflict', `The license is ${license.status}: there is nothing to suspend.`);
  return transition(tx, license, status);
}

/**
 * Resumes a suspended license; one whose time passed meanwhile expires at once (`license.expired`). One that is not suspended is
 * answered unchanged; `conflict` for one that is revoked.
 */
export async function resumeLicense(tx: Transaction, id: string): Promise<LicenseRow> {
  const license = await requireLockedLicense(tx, id);
  const status = licenseTransitions.resume[license.status];
  if (status === 'conflict') throw new DomainError('conflict', 'A revoked license cannot be resumed.');
  return applyExpiry(tx, await transition(tx, license, status));
}
