import type { LicenseStatus } from '../../db/entities/license';

/** Actions that change a license: expiry, extension, revocation; suspension and resumption, which only the platform requests. */
export type LicenseAction = 'expire' | 'extend' | 'revoke' | 'suspend' | 'resume';

/** The status that each action leads to from each status (section States, License); the same status is a no-op. */
export const licenseTransitions = {
  expire: { active: 'expired', expired: 'expired', suspended: 'suspended', revoked: 'revoked' },
  extend: { active: 'active', expired: 'active', suspended: 'suspended', revoked: 'conflict' },
  revoke: { active: 'revoked', expired: 'revoked', suspended: 'revoked', revoked: 'revoked' },
  suspend: { active: 'suspended', expired: 'conflict', suspended: 'suspended', revoked: 'conflict' },
  resume: { active: 'active', expired: 'expired', suspended: 'active', revoked: 'conflict' },
} as const satisfies Record<LicenseAction, Record<LicenseStatus, LicenseStatus | 'conflict'>>;
