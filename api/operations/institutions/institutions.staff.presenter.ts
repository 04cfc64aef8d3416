import type { InstitutionRow } from '../../../db/repositories/institutions/institutions';

/** An institution as the platform API answers it; the admin's own address never leaves. */
export function presentInstitution(row: InstitutionRow): object {
  const { admin_id: id, admin_login_email: loginEmail } = row;
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    login_domain: row.login_domain,
    time_zone: row.time_zone,
    admin: id === null ? null : { id, login_email: loginEmail },
    allowance_cents: row.allowance_cents,
    created_at: row.created_at.toISOString(),
  };
}
