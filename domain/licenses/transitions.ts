import type { LicenseStatus } from '../../db/entities/license';

/** What moves a license: its time passing, an extension, a revocation. */
export type LicenseMove = 'expire' | 'extend' | 'revoke';

/** Where each move leads from each status (section States, License); the same status again changes nothing. */
export const licenseTransitions = {
  expire: { active: 'expired', expired: 'expired', suspended: 'suspended', revoked: 'revoked' },
  extend: { active: 'active', expired: 'active', suspended: 'suspended', revoked: 'conflict' },
  revoke: { active: 'revoked', expired: 'revoked', suspended: 'revoked', revoked: 'revoked' },
} as const satisfies Record<LicenseMove, Record<LicenseStatus, LicenseStatus | 'conflict'>>;
