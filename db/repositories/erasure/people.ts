import { cursorApplication } from '../../cursor';
import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** What identifies a person, before it is erased. */
export interface PersonalColumns {
  full_name: string | null;
  external_id: string | null;
  profile: Record<string, string> | null;
  personal_email_sealed: string | null;
}

const read = statement(
  'erasure_personal_columns',
  'SELECT full_name, external_id, profile, personal_email_sealed FROM users WHERE institution_id = $1 AND id = $2',
);

/** Reads what identifies a locked person. */
export async function readPersonalColumns(scope: InstitutionScope, personId: string): Promise<PersonalColumns> {
  const [row] = await scope.sql<PersonalColumns>(read, [scope.institutionId, personId]);
  if (row === undefined) throw new Error('The locked person is not there');
  return row;
}

/** A guardian's link, with what it and the guardian say of themselves. */
export interface LinkOfPersonRow {
  id: string;
  guardian_id: string;
  invitation: number;
  guardian_name: string | null;
  full_name: string | null;
  personal_email_sealed: string;
}

const links = (column: 'student_id' | 'guardian_id') => statement(
  `erasure_links_by_${column}`,
  `SELECT l.id, l.guardian_id, l.invitation, l.guardian_name, g.full_name, g.personal_email_sealed
     FROM guardian_links l JOIN users g ON g.id = l.guardian_id WHERE l.institution_id = $1 AND l.${column} = $2 ORDER BY l.guardian_id, l.id`,
);
const linkStatements = { student: links('student_id'), guardian: links('guardian_id') };

/** The links of a student, or of a guardian, in the order in which their guardians are locked. */
export function listLinksOf(scope: InstitutionScope, of: keyof typeof linkStatements, personId: string): Promise<LinkOfPersonRow[]> {
  return scope.sql(linkStatements[of], [scope.institutionId, personId]);
}

const present = statement('erasure_people_present', 'SELECT id FROM users WHERE institution_id = $1 AND id = ANY ($2::text[])');

/** Those of these people who are still there. */
export async function listPresent(scope: InstitutionScope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await scope.sql<{ id: string }>(present, [scope.institutionId, ids])).map(({ id }) => id));
}

const own = statement(
  'erasure_own_ids',
  `SELECT id FROM licenses WHERE institution_id = $1 AND user_id = $2
    UNION ALL SELECT id FROM seats WHERE institution_id = $1 AND user_id = $2
    UNION ALL SELECT id FROM sign_in_codes WHERE institution_id = $1 AND user_id = $2`,
);

/** The ids of a person's license, seats and sign-in codes. */
export async function listOwnIds(scope: InstitutionScope, personId: string): Promise<string[]> {
  return (await scope.sql<{ id: string }>(own, [scope.institutionId, personId])).map(({ id }) => id);
}

const work = statement(
  'erasure_work_ids',
  `SELECT id FROM attempts WHERE institution_id = $1 AND student_id = $2
    UNION ALL SELECT id FROM submissions WHERE institution_id = $1 AND student_id = $2`,
);

/** The ids of a student's attempts and submissions, which stay. */
export async function listWorkIds(scope: InstitutionScope, studentId: string): Promise<string[]> {
  return (await scope.sql<{ id: string }>(work, [scope.institutionId, studentId])).map(({ id }) => id);
}

const emailOf = statement('erasure_login_email', 'SELECT e.login_email, i.login_domain FROM institution_emails e JOIN institutions i ON i.id = e.institution_id WHERE e.institution_id = $1 AND e.user_id = $2');

/** A person's login email, and the domain of all of the institution. */
export async function readLoginEmail(scope: InstitutionScope, personId: string): Promise<{ login_email: string; login_domain: string }> {
  const [row] = await scope.sql<{ login_email: string; login_domain: string }>(emailOf, [scope.institutionId, personId]);
  if (row === undefined) throw new Error('The locked person has no login email');
  return row;
}

const rename = statement('erasure_rename', 'UPDATE institution_emails SET login_email = $3 WHERE institution_id = $1 AND user_id = $2 AND login_email <> $3 RETURNING 1');

/** Replaces the login email of a person; returns how many were replaced. */
export async function replaceLoginEmail(scope: InstitutionScope, personId: string, loginEmail: string): Promise<number> {
  return (await scope.sql(rename, [scope.institutionId, personId, loginEmail])).length;
}

const clock = statement('erasure_clock', 'SELECT clock_timestamp() AS at');

/** The time of Postgres. */
export async function readDatabaseTime(scope: InstitutionScope): Promise<Date> {
  const [row] = await scope.sql<{ at: Date }>(clock, []);
  if (row === undefined) throw new Error('Postgres has no time');
  return row.at;
}

const older = statement(
  'erasure_older_transactions',
  `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND usename::text IN (current_user::text, current_user || '_sender') AND pid <> pg_backend_pid() AND xact_start <= $1
    AND application_name <> '${cursorApplication}' LIMIT 1`,
);

/** Whether a transaction of the service, or of its sender, that began before this moment is still open: it may write what it read before. */
export async function hasOlderTransactions(scope: InstitutionScope, at: Date): Promise<boolean> {
  return (await scope.platform.sql(older, [at])).length > 0;
}
