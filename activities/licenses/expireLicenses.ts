import type { Domain } from '../../domain/context';
import { expireDueLicenses, expiryChunk, institutionsToSweep } from '../../domain/licenses/expireDueLicenses';
import { transact } from '../../domain/transact';
import { readInstitutionTime } from '../activityNow';

/** The activities of the license sweep. `nowMs` is the sweep's time. */
export interface LicenseActivities {
  /** Returns at most `limit` institutions with overdue licenses, by id after `afterId` ('' for the first). */
  institutionsWithDueLicenses(nowMs: number, afterId: string, limit: number): Promise<string[]>;
  /** Expires one chunk of an institution's licenses; returns how many, and whether there may be more. */
  expireLicenses(institutionId: string, nowMs: number): Promise<{ expired: number; more: boolean }>;
}

/** Returns the license activities; each call of `expireLicenses` is one transaction and idempotent. */
export function createLicenseActivities(domain: Domain): LicenseActivities {
  return {
    institutionsWithDueLicenses: (nowMs, afterId, limit) => institutionsToSweep(domain, new Date(nowMs), afterId, limit),
    expireLicenses: async (institutionId, nowMs) => {
      const { now } = await readInstitutionTime(domain.database.sql, institutionId, new Date(nowMs));
      const expired = await transact(domain, { institutionId, now }, expireDueLicenses);
      return { expired, more: expired === expiryChunk };
    },
  };
}
