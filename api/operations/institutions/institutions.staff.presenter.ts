import type { InstitutionRow } from '../../../db/repositories/institutions/institutions';
import { presentAdmin } from './institutions.presenter';
import type { InstitutionResponse } from './institutions.staff.schemas';

/** An institution in the platform API; the admin's private address is never returned. */
export function presentInstitution(row: InstitutionRow): InstitutionResponse {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    login_domain: row.login_domain,
    time_zone: row.time_zone,
    admin: presentAdmin(row),
    allowance_cents: row.allowance_cents,
    created_at: row.created_at.toISOString(),
  };
}
