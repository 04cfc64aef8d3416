import { statement, type Sql } from '../../statement';

/** A disabled endpoint, and the mailbox of its institution's admin, who is not suspended. */
export interface DisabledNotice {
  endpoint_id: string;
  url: string;
  disabled_reason: string;
  disabled_at: Date;
  institution_name: string;
  login_domain: string;
  admin_email_sealed: string;
  admin_login_email: string;
}

const disabled = statement(
  'endpoint_disabled_notice',
  `SELECT e.id AS endpoint_id, e.url, e.disabled_reason, e.updated_at AS disabled_at, i.name AS institution_name, i.login_domain,
          u.personal_email_sealed AS admin_email_sealed, m.login_email AS admin_login_email
     FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
     JOIN users u ON u.institution_id = i.id AND u.is_admin AND u.status = 'active' AND u.personal_email_sealed IS NOT NULL
     JOIN institution_emails m ON m.user_id = u.id
    WHERE e.institution_id = $1 AND e.id = $2 AND e.status = 'disabled' AND e.deleted_at IS NULL`,
);

/** Returns the contents of the admin's email about an endpoint; undefined if it is no longer disabled or there is no recipient. */
export async function readDisabledNotice(sql: Sql, institutionId: string, endpointId: string): Promise<DisabledNotice | undefined> {
  const [row] = await sql<DisabledNotice>(disabled, [institutionId, endpointId]);
  return row;
}
