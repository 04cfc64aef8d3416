import type { InstitutionScope } from '../../database';
import type { InstitutionStatus } from '../../entities/institution';
import type { UserKind, UserStatus } from '../../entities/user';
import { statement, type Sql } from '../../statement';
import type { DeveloperStatus } from '../developers/developers';

/** The institution and id of a login email's account, looked up before the caller is authenticated. */
export interface AccountReference {
  user_id: string;
  institution_id: string;
  /** How far the clock of the institution is ahead, in ms: 0 unless it is a sandbox. */
  clock_offset_ms: number;
}

const byLoginEmail = statement(
  'account_by_login_email',
  `SELECT e.user_id, e.institution_id, i.clock_offset_ms::float8 AS clock_offset_ms
     FROM institution_emails e JOIN institutions i ON i.id = e.institution_id WHERE e.login_email = lower($1)`,
);

/** Returns the account of a login email, in any institution. */
export async function findAccount(sql: Sql, loginEmail: string): Promise<AccountReference | undefined> {
  const [row] = await sql<AccountReference>(byLoginEmail, [loginEmail]);
  return row;
}

const loginEmailsAmong = statement('login_emails_among', 'SELECT login_email FROM institution_emails WHERE institution_id = $1 AND login_email = ANY ($2::text[])');

/** Returns those of these emails, in lower case, that are a login email of the institution. */
export async function findLoginEmails({ sql, institutionId }: InstitutionScope, emails: readonly string[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set();
  const rows = await sql<{ login_email: string }>(loginEmailsAmong, [institutionId, emails]);
  return new Set(rows.map(({ login_email }) => login_email));
}

/** A person as sign-in needs them: their status, and the mailboxes that codes may be sent to. */
export interface AccountRow {
  id: string;
  institution_id: string;
  kind: UserKind;
  status: UserStatus;
  /** Null for guardians and developers, who sign in by their own address. */
  login_email: string | null;
  full_name: string | null;
  profile_completed: boolean;
  first_signed_in_at: Date | null;
  erased_at: Date | null;
  institution_name: string;
  login_domain: string;
  personal_email_sealed: string | null;
  /** The active institution admin; null without one. */
  admin_id: string | null;
  admin_email_sealed: string | null;
  /** Whether a student without a mapped email needs an enrolment code to name one. */
  require_enrolment_code: boolean;
}

const lock = statement('account_lock', 'SELECT 1 FROM users WHERE institution_id = $1 AND id = $2 FOR NO KEY UPDATE');

const account = statement(
  'account_read_sealed',
  `SELECT u.id, u.kind, u.status, e.login_email, u.full_name, u.profile_completed, u.first_signed_in_at, u.erased_at, i.name AS institution_name, i.login_domain, i.require_enrolment_code,
          u.institution_id, u.personal_email_sealed, a.id AS admin_id, a.personal_email_sealed AS admin_email_sealed
     FROM users u JOIN institutions i ON i.id = u.institution_id LEFT JOIN institution_emails e ON e.user_id = u.id
     LEFT JOIN users a ON a.institution_id = u.institution_id AND a.is_admin AND a.status = 'active'
    WHERE u.institution_id = $1 AND u.id = $2`,
);

/** Locks a person's row and reads it under the lock; codes and tries of an account are counted under this lock. */
export async function lockAccount(scope: InstitutionScope, userId: string): Promise<AccountRow | undefined> {
  const own = [scope.institutionId, userId];
  await scope.sql(lock, own);
  const [row] = await scope.sql<AccountRow>(account, own);
  return row;
}

/** The portal user of `X-Actor`. */
export interface PortalUserRow {
  id: string;
  is_admin: boolean;
  status: UserStatus;
  /** Null unless the person is a developer. */
  developer_status: DeveloperStatus | null;
  institution_id: string;
  institution_status: InstitutionStatus;
  /** How far the clock of the institution is ahead, in ms: 0 unless it is a sandbox. */
  clock_offset_ms: number;
  /** Of an institution that leaves: until then it is read-only. */
  read_only_until: Date | null;
}

const portalUser = statement(
  'portal_user_read_only',
  `SELECT u.id, u.is_admin, u.status, d.status AS developer_status, i.id AS institution_id, i.status AS institution_status,
          i.clock_offset_ms::float8 AS clock_offset_ms, i.read_only_until
     FROM users u JOIN institutions i ON i.id = u.institution_id LEFT JOIN developers d ON d.user_id = u.id WHERE u.id = $1`,
);

/** Returns the person with an id, in any institution. */
export async function findPortalUser(sql: Sql, id: string): Promise<PortalUserRow | undefined> {
  const [row] = await sql<PortalUserRow>(portalUser, [id]);
  return row;
}
