import type { InstitutionScope } from '../../database';
import type { LicenseRow } from './licenses';
import { statement, type Sql } from '../../statement';

const expire = statement(
  'licenses_expire_due',
  `WITH due AS (
     SELECT id FROM licenses
      WHERE institution_id = $1 AND status = 'active' AND expires_at <= $2
      ORDER BY expires_at, id LIMIT $3
        FOR NO KEY UPDATE SKIP LOCKED
   ), expired AS (
     UPDATE licenses l SET status = 'expired', updated_at = $2 FROM due WHERE l.institution_id = $1 AND l.id = due.id
     RETURNING l.id, l.license_type, l.user_id, l.expires_at
   )
   SELECT * FROM expired ORDER BY expires_at, id`,
);

/** A license that has just expired. */
export type ExpiredLicense = Pick<LicenseRow, 'id' | 'license_type' | 'user_id'> & { expires_at: Date };

/** Marks at most `limit` active licenses whose time has passed `expired`; skips those that another transaction has locked. */
export function expireDue(scope: InstitutionScope, now: Date, limit: number): Promise<ExpiredLicense[]> {
  return scope.sql(expire, [scope.institutionId, now, limit]);
}

const withDue = statement(
  'institutions_with_due_licenses',
  `SELECT i.id FROM institutions i
    WHERE i.id > $2
      AND EXISTS (SELECT 1 FROM licenses l WHERE l.institution_id = i.id AND l.status = 'active' AND l.expires_at <= $1)
    ORDER BY i.id LIMIT $3`,
);

/** Returns institutions with overdue active licenses, by id after `afterId` ('' for the first). */
export async function institutionsWithDue(sql: Sql, now: Date, afterId: string, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }>(withDue, [now, afterId, limit]);
  return rows.map(({ id }) => id);
}
