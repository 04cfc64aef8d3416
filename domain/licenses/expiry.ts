import type { LicenseStatus } from '../../db/entities/license';
import { licenseTransitions } from './transitions';

/** Returns the status shown to readers: an active license is expired from its expiry on, even before the sweep. */
export function licenseStatusAt(status: LicenseStatus, expiresAt: Date | null, now: Date): LicenseStatus {
  return expiresAt !== null && expiresAt <= now ? licenseTransitions.expire[status] : status;
}
