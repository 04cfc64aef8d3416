import { findPersonLicense } from '../../db/repositories/licenses/personLicense';
import type { PersonLicenseColumns } from '../../db/repositories/people/licensedPeople';
import type { Transaction } from '../context';
import { licenseStatusAt } from './expiry';
import { requireLockedLicense } from './requireLockedLicense';

/**
 * A person's license as it stands when their app checks in. An expiry that nobody has seen yet is settled, with its one
 * `license.expired` (section States, License).
 */
export async function checkIn(tx: Transaction, userId: string): Promise<PersonLicenseColumns> {
  const license = await findPersonLicense(tx, userId);
  if (license === undefined) throw new Error('A person of an app carries no license');
  if (licenseStatusAt(license.license_status, license.license_expires_at, tx.now) === license.license_status) return license;
  const { status, expires_at } = await requireLockedLicense(tx, license.license_id);
  return { ...license, license_status: status, license_expires_at: expires_at };
}
