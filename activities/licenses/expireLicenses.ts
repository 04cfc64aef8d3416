import type { Domain } from '../../domain/context';
import { expireDueLicenses, expiryChunk, institutionsToSweep } from '../../domain/licenses/expireDueLicenses';
import { transact } from '../../domain/transact';

/** What the license sweep calls. `nowMs` is the sweep's own time. */
export interface LicenseActivities {
  /** At most `limit` institutions with licenses to expire, by id from after `afterId` ('' for the first). */
  institutionsWithDueLicenses(nowMs: number, afterId: string, limit: number): Promise<string[]>;
  /** Expires one chunk of an institution's licenses; answers how many, and whether there may be more. */
  expireLicenses(institutionId: string, nowMs: number): Promise<{ expired: number; more: boolean }>;
}

/** The license activities over one domain; each call of `expireLicenses` is one transaction, and may be repeated. */
export function createLicenseActivities(domain: Domain): LicenseActivities {
  return {
    institutionsWithDueLicenses: (nowMs, afterId, limit) => institutionsToSweep(domain, new Date(nowMs), afterId, limit),
    expireLicenses: async (institutionId, nowMs) => {
      const expired = await transact(domain, { institutionId, now: new Date(nowMs) }, expireDueLicenses);
      return { expired, more: expired === expiryChunk };
    },
  };
}
