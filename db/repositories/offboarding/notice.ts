import { statement, type Sql } from '../../statement';

/** An institution that leaves, and the mailbox of its admin, who is not suspended. */
export interface OffboardingNotice {
  number: number;
  erase_after: Date;
  institution_id: string;
  institution_name: string;
  login_domain: string;
  time_zone: string;
  admin_id: string;
  admin_email_sealed: string;
  admin_login_email: string;
}

const notice = statement(
  'offboarding_notice',
  `SELECT o.number, o.erase_after, i.id AS institution_id, i.name AS institution_name, i.login_domain, i.time_zone,
          u.id AS admin_id, u.personal_email_sealed AS admin_email_sealed, m.login_email AS admin_login_email
     FROM offboardings o JOIN institutions i ON i.id = o.institution_id
     JOIN users u ON u.institution_id = i.id AND u.is_admin AND u.status = 'active' AND u.personal_email_sealed IS NOT NULL
     JOIN institution_emails m ON m.user_id = u.id
    WHERE o.institution_id = $1 AND o.number = $2 AND o.status = 'read_only'`,
);

/** Returns the contents of the admin's email about an offboarding; undefined if it was cancelled or there is no recipient. */
export async function readOffboardingNotice(sql: Sql, institutionId: string, number: number): Promise<OffboardingNotice | undefined> {
  const [row] = await sql<OffboardingNotice>(notice, [institutionId, number]);
  return row;
}
