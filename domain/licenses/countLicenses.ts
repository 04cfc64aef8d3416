import type { InstitutionScope } from '../../db/database';
import { countLicenses, type LicenseCount } from '../../db/repositories/licenses';
import { expiringSoonDays } from './terms';

const dayMs = 86_400_000;

/** The institution's licenses by type and shown status, and how many expire soon. */
export function licenseCountsAt(scope: InstitutionScope, now: Date): Promise<LicenseCount[]> {
  return countLicenses(scope, now, new Date(now.getTime() + expiringSoonDays * dayMs));
}
