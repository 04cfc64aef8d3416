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
 * Suspends an active license: its term keeps running, but no seat can be assigned and it does not expire while suspended.
 * No-op if unchanged; `conflict` for an expired or revoked one.
 */
export async function suspendLicense(tx: Transaction, id: string): Promise<LicenseRow> {
  const license = await requireLockedLicense(tx, id);
  const status = licenseTransitions.suspend[license.status];
  if (status === 'conflict') throw new DomainError('conflict', `The license is ${license.status}; only an active license can be suspended.`);
  return transition(tx, license, status);
}

/**
 * Resumes a suspended license; if its term ended during the suspension it expires immediately (`license.expired`). No-op
 * if not suspended; `conflict` if revoked.
 */
export async function resumeLicense(tx: Transaction, id: string): Promise<LicenseRow> {
  const license = await requireLockedLicense(tx, id);
  const status = licenseTransitions.resume[license.status];
  if (status === 'conflict') throw new DomainError('conflict', 'A revoked license cannot be resumed.');
  return applyExpiry(tx, await transition(tx, license, status));
}
