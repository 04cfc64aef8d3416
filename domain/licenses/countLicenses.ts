import type { InstitutionScope } from '../../db/database';
import { countLicenses, countLicensesExpiringBy, type LicenseCount } from '../../db/repositories/licenses/licenses';
import { addDays, expiringSoonDays } from './limits';

/** Returns the number of the institution's licenses by type and shown status. */
export function licenseCountsAt(scope: InstitutionScope, now: Date): Promise<LicenseCount[]> {
  return countLicenses(scope, now);
}

/** The same, and how many of them all expire soon. */
export async function licenseSummaryAt(scope: InstitutionScope, now: Date): Promise<{ counts: LicenseCount[]; expiring: number }> {
  const counts = await countLicensesExpiringBy(scope, now, addDays(now, expiringSoonDays));
  return { counts, expiring: counts[0]?.expiring ?? 0 };
}
