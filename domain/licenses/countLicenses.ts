import type { InstitutionScope } from '../../db/database';
import { countLicenses, type LicenseCount } from '../../db/repositories/licenses';
import { daysAfter, expiringSoonDays } from './terms';

/** The institution's licenses by type and shown status, and how many expire soon. */
export function licenseCountsAt(scope: InstitutionScope, now: Date): Promise<LicenseCount[]> {
  return countLicenses(scope, now, daysAfter(now, expiringSoonDays));
}
