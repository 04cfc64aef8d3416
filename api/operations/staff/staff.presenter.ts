import type { StaffRow } from '../../../db/repositories/staff/staff';
import type { StaffTokenRow } from '../../../db/repositories/staff/tokens';
import { staffTokenStatusAt } from '../../../domain/staff/tokens';
import { isoOrNull } from '../../http/request/fields';
import type { StaffResponse, StaffTokenResponse } from './staff.schemas';

/** A person of the staff, with the identity provider that they sign in with. */
export function presentStaff({ id, name, email, role, oidc_issuer, created_by, created_at, revoked_at }: StaffRow): StaffResponse {
  return {
    id, name, email, role, status: revoked_at === null ? 'active' : 'revoked', signs_in_with: oidc_issuer, created_by, created_at: created_at.toISOString(), revoked_at: isoOrNull(revoked_at),
  };
}

/** A personal token: never the token itself. */
export function presentStaffToken({ id, staff_id, name, last_four, created_by, created_at, expires_at, last_used_at, revoked_at }: StaffTokenRow, now: Date): StaffTokenResponse {
  return {
    id, staff_id, name, last_four, status: staffTokenStatusAt({ revoked_at, expires_at }, now), created_by, created_at: created_at.toISOString(), expires_at: expires_at.toISOString(), last_used_at: isoOrNull(last_used_at),
  };
}
