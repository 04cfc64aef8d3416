import { statement, type Sql } from '../../statement';

/** A disabled endpoint, and the mailbox of its institution's admin, who is not suspended. */
export interface DisabledNotice {
  endpoint_id: string;
  url: string;
  /** What the institution calls it. */
  description: string | null;
  disabled_reason: string;
  disabled_at: Date;
  institution_name: string;
  login_domain: string;
  admin_id: string;
  admin_email_sealed: string;
  admin_login_email: string;
}

const columns = `e.id AS endpoint_id, e.url, e.description, i.name AS institution_name, i.login_domain,
          u.id AS admin_id, u.personal_email_sealed AS admin_email_sealed, m.login_email AS admin_login_email`;
const source = `webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
     JOIN users u ON u.institution_id = i.id AND u.is_admin AND u.status = 'active' AND u.personal_email_sealed IS NOT NULL
     JOIN institution_emails m ON m.user_id = u.id`;

const disabled = statement(
  'endpoint_disabled_notice',
  `SELECT ${columns}, e.disabled_reason, e.updated_at AS disabled_at
     FROM ${source}
    WHERE e.institution_id = $1 AND e.id = $2 AND e.status = 'disabled' AND e.deleted_at IS NULL`,
);

/** Returns the contents of the admin's email about an endpoint; undefined if it is no longer disabled or there is no recipient. */
export async function readDisabledNotice(sql: Sql, institutionId: string, endpointId: string): Promise<DisabledNotice | undefined> {
  const [row] = await sql<DisabledNotice>(disabled, [institutionId, endpointId]);
  return row;
}

/** A failing or recovered endpoint, and the mailbox of its institution's admin, who is not suspended. */
export interface HealthNotice extends Omit<DisabledNotice, 'disabled_reason' | 'disabled_at'> {
  warned_percent: number | null;
  time_zone: string;
}

const health = statement(
  'endpoint_health_notice',
  `SELECT ${columns}, e.warned_percent, i.time_zone
     FROM ${source}
    WHERE e.institution_id = $1 AND e.id = $2 AND e.deleted_at IS NULL`,
);

/** Returns the contents of the admin's email about a failing or recovered endpoint; undefined if it is deleted or there is no recipient. */
export async function readHealthNotice(sql: Sql, institutionId: string, endpointId: string): Promise<HealthNotice | undefined> {
  const [row] = await sql<HealthNotice>(health, [institutionId, endpointId]);
  return row;
}
