import { definedConditions, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement, type Sql } from '../../statement';

/** `support` sees what the support console shows and sends deliveries again; `operator` may do what the platform's admin may. */
export const staffRoles = ['support', 'operator'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** A person of the platform's own staff. */
export interface StaffRow {
  id: string;
  name: string;
  /** Lower case; unique, also among revoked ones. */
  email: string;
  role: StaffRole;
  /** The identity provider that the person has signed in with; null before the first such sign-in. */
  oidc_issuer: string | null;
  oidc_subject: string | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  revoked_at: Date | null;
}

const columns = 'id, name, email, role, oidc_issuer, oidc_subject, created_by, created_at, updated_at, revoked_at';

const byId = statement('staff_by_id', `SELECT ${columns} FROM staff WHERE id = $1`);

/** Returns a person of the staff, active or revoked. */
export async function findStaff(sql: Sql, id: string): Promise<StaffRow | undefined> {
  const [row] = await sql<StaffRow>(byId, [id]);
  return row;
}

const lock = statement('staff_lock', 'SELECT 1 FROM staff WHERE id = $1 FOR NO KEY UPDATE');

/** Locks a person and reads them under the lock; tokens and sessions begin under this lock only. */
export async function lockStaff(sql: Sql, id: string): Promise<StaffRow | undefined> {
  await sql(lock, [id]);
  return findStaff(sql, id);
}

const idByEmail = statement('staff_id_by_email', 'SELECT id FROM staff WHERE email = $1');

/** Returns the id of the person with an email, active or revoked. */
export async function findStaffIdByEmail(sql: Sql, email: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }>(idByEmail, [email]);
  return row?.id;
}

const idBySubject = statement('staff_id_by_subject', 'SELECT id FROM staff WHERE oidc_issuer = $1 AND oidc_subject = $2');

/** Returns the id of the person whom an identity provider knows by this subject. */
export async function findStaffIdBySubject(sql: Sql, issuer: string, subject: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }>(idBySubject, [issuer, subject]);
  return row?.id;
}

/** Returns a page of the staff, active and revoked, newest first; with an email that of its one person. */
export function listStaff(sql: Sql, { email }: { email?: string | undefined }, page: Page): Promise<PageOf<StaffRow>> {
  return readPage(sql, { columns, from: 'staff', conditions: definedConditions([{ sql: 'email = $', value: email }]), order: newestFirst('created_at', 'id') }, page);
}

const insert = statement(
  'staff_insert',
  `INSERT INTO staff (id, name, email, role, oidc_issuer, oidc_subject, created_by, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT DO NOTHING RETURNING ${columns}`,
);

/** Inserts a person; undefined if the email or the subject is taken. */
export async function insertStaff(sql: Sql, { id, name, email, role, oidc_issuer, oidc_subject, created_by, created_at }: Omit<StaffRow, 'updated_at' | 'revoked_at'>): Promise<StaffRow | undefined> {
  const [row] = await sql<StaffRow>(insert, [id, name, email, role, oidc_issuer, oidc_subject, created_by, created_at]);
  return row;
}

const update = statement(
  'staff_update',
  `UPDATE staff SET name = $2, email = $3, role = $4, oidc_issuer = $5, oidc_subject = $6, revoked_at = $7, updated_at = $8 WHERE id = $1`,
);

/** Updates a locked person. */
export async function updateStaffRow(sql: Sql, { id, name, email, role, oidc_issuer, oidc_subject, revoked_at }: StaffRow, now: Date): Promise<void> {
  await sql(update, [id, name, email, role, oidc_issuer, oidc_subject, revoked_at, now]);
}
