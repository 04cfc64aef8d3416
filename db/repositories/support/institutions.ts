import type { InstitutionStatus } from '../../entities/institution';
import { folded } from '../../folded';
import { statement, type Sql } from '../../statement';
import { counted, openOfEndpoint } from './counts';

/** An institution in the support console's list; counts stop at 1,001. */
export interface SupportInstitution {
  id: string;
  name: string;
  status: InstitutionStatus;
  login_domain: string;
  time_zone: string;
  created_at: Date;
  sandbox_of: string | null;
  open: number;
  dead: number;
}

const openDeliveries = counted(`SELECT 1 FROM webhook_endpoints e CROSS JOIN LATERAL (${openOfEndpoint}) o
  WHERE e.institution_id = i.id AND e.deleted_at IS NULL`);
const deadDeliveries = counted("SELECT 1 FROM webhook_deliveries d WHERE d.institution_id = i.id AND d.status = 'dead'");

// Ids begin with their time, so the primary key is in order of creation.
const list = statement(
  'support_institutions',
  `WITH page AS MATERIALIZED (
     SELECT i.id, i.name, i.status, i.login_domain, i.time_zone, i.created_at, i.sandbox_of FROM institutions i
      WHERE ($1::text IS NULL OR i.id < $1)
        AND ($2::text IS NULL OR i.id = $2 OR strpos(${folded('i.name')}, ${folded('$2')}) > 0 OR strpos(i.login_domain, lower($2)) > 0)
      ORDER BY i.id DESC LIMIT $3
   )
   SELECT i.*, ${openDeliveries} AS open, ${deadDeliveries} AS dead FROM page i ORDER BY i.id DESC`,
);

/** Returns the institutions older than the id `before`, newest first: all, or those whose id, name or domain matches `wanted`. */
export function searchInstitutions(
  sql: Sql,
  { wanted, before, limit }: { wanted: string | undefined; before: string | undefined; limit: number },
): Promise<SupportInstitution[]> {
  return sql(list, [before ?? null, wanted ?? null, limit]);
}
