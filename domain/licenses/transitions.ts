import type { LicenseStatus } from '../../db/entities/license';

/** What moves a license: its time passing, an extension, a revocation; a suspension and its end, which the platform alone commands. */
export type LicenseAction = 'expire' | 'extend' | 'revoke' | 'suspend' | 'resume';

/** Where each move leads from each status (section States, License); the same status again changes nothing. */
export const licenseTransitions = {
  expire: { active: 'expired', expired: 'expired', suspended: 'suspended', revoked: 'revoked' },
  extend: { active: 'active', expired: 'active', suspended: 'suspended', revoked: 'conflict' },
  revoke: { active: 'revoked', expired: 'revoked', suspended: 'revoked', revoked: 'revoked' },
  suspend: { active: 'suspended', expired: 'conflict', suspended: 'suspended', revoked: 'conflict' },
  resume: { active: 'active', expired: 'expired', suspended: 'active', revoked: 'conflict' },
} as const satisfies Record<LicenseAction, Record<LicenseStatus, LicenseStatus | 'conflict'>>;
