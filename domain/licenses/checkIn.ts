import { findPersonLicense } from '../../db/repositories/licenses/personLicense';
import type { PersonLicenseColumns } from '../../db/repositories/people/licensedPeople';
import type { Transaction } from '../context';
import { licenseStatusAt } from './expiry';
import { requireLockedLicense } from './requireLockedLicense';

/**
 * Returns a person's license at the check-in of their app. Records an expiry not yet noticed, with its one
 * `license.expired` (section States, License).
 */
export async function checkIn(tx: Transaction, userId: string): Promise<PersonLicenseColumns> {
  const license = await findPersonLicense(tx, userId);
  if (license === undefined) throw new Error('A signed-in app user has no license');
  if (licenseStatusAt(license.license_status, license.license_expires_at, tx.now) === license.license_status) return license;
  const { status, expires_at } = await requireLockedLicense(tx, license.license_id);
  return { ...license, license_status: status, license_expires_at: expires_at };
}
