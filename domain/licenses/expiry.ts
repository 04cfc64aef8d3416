import type { LicenseStatus } from '../../db/entities/license';
import { licenseTransitions } from './transitions';

/** The status a reader is told: an active license is expired as soon as its time has passed, even before the sweep. */
export function licenseStatusAt(status: LicenseStatus, expiresAt: Date | null, now: Date): LicenseStatus {
  return expiresAt !== null && expiresAt <= now ? licenseTransitions.expire[status] : status;
}
