import type { LicenseStatus } from '../../db/entities/license';

/** The status a reader is told: an active license is expired as soon as its time has passed, even before the sweep. */
export function statusAt(status: LicenseStatus, expiresAt: Date | null, now: Date): LicenseStatus {
  return status === 'active' && expiresAt !== null && expiresAt <= now ? 'expired' : status;
}
