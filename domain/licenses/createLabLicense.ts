import { insertLicense, type LicenseRow } from '../../db/repositories/licenses/licenses';
import type { Transaction } from '../context';
import { newId } from '../ids';
import { addDays } from './limits';

/** The fields of a license for lab machines. */
export interface NewLabLicense {
  license_type: 'institution';
  /** Number of machines. */
  seats: number;
  days: number;
}

/** Creates a license for lab machines, which belongs to no person. Emits `license.generated`. */
export async function createLabLicense(tx: Transaction, { license_type, seats, days }: NewLabLicense): Promise<LicenseRow> {
  const expiresAt = addDays(tx.now, days);
  const id = newId('lic');
  await insertLicense(tx, {
    id,
    userId: null,
    licenseType: license_type,
    status: 'active',
    maxActivations: seats,
    isLifetime: false,
    expiresAt,
    revokedAt: null,
    revokeReason: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  tx.emit('license.generated', { license_id: id, license_type, user_id: null, expires_at: expiresAt.toISOString() });
  return {
    id,
    license_type,
    status: 'active',
    user_id: null,
    login_email: null,
    max_activations: seats,
    expires_at: expiresAt,
    is_lifetime: false,
    revoked_at: null,
    revoke_reason: null,
    created_at: tx.now,
  };
}
