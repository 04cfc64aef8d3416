import type { InstitutionScope } from '../../db/database';
import { countLicenses, type LicenseCount } from '../../db/repositories/licenses/licenses';
import { addDays, expiringSoonDays } from './limits';

/** Returns the number of the institution's licenses by type and shown status, and how many expire soon. */
export function licenseCountsAt(scope: InstitutionScope, now: Date): Promise<LicenseCount[]> {
  return countLicenses(scope, now, addDays(now, expiringSoonDays));
}
