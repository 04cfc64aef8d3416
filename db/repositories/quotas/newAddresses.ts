import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

const count = statement(
  'new_address_count',
  `INSERT INTO new_address_emails AS n (institution_id, day, emails) SELECT $1, $2, 1 WHERE $3 > 0
   ON CONFLICT (institution_id) DO UPDATE SET day = EXCLUDED.day, emails = CASE WHEN n.day = EXCLUDED.day THEN n.emails + 1 ELSE 1 END
     WHERE n.day <> EXCLUDED.day OR n.emails < $3
   RETURNING emails`,
);

/** Counts an email of a day, and returns true, unless the day has `limit` already. */
export async function countNewAddress(scope: InstitutionScope, day: string, limit: number): Promise<boolean> {
  return (await scope.sql(count, [scope.institutionId, day, limit])).length > 0;
}
