import type { InstitutionScope } from '../../database';
import type { UserStatus } from '../../entities/user';
import { definedConditions, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import { countedTotal } from '../counts/rowCounts';
import { userIdByLoginEmail, isLoginEmail, licenseColumns, licensedPeople, joinLicense, type PersonLicenseColumns } from '../people/licensedPeople';

/** A student with login email and license, as one row. */
export interface StudentRow extends PersonLicenseColumns {
  id: string;
  login_email: string;
  full_name: string | null;
  external_id: string | null;
  status: UserStatus;
  personal_email_mapped: boolean;
  first_signed_in_at: Date | null;
  created_at: Date;
  updated_at: Date;
  /** When the erasure of the student was requested. */
  erased_at: Date | null;
}

const columns = `u.id, e.login_email, u.full_name, u.external_id, u.status, u.personal_email_hmac IS NOT NULL AS personal_email_mapped,
  u.first_signed_in_at, u.created_at, u.updated_at, u.erased_at, ${licenseColumns}`;

const one = (condition: string): string => `SELECT ${columns} FROM ${licensedPeople} WHERE u.institution_id = $1 AND u.kind = 'student' AND ${condition}`;

const byId = statement('student_by_id', one('u.id = $2'));
const byLoginEmail = statement('student_by_login_email', one('e.login_email = lower($2)'));
const lockById = statement('student_lock_by_id', `${byId.text} FOR NO KEY UPDATE OF u`);
const lockByLoginEmail = statement('student_lock_by_login_email', `${byLoginEmail.text} FOR NO KEY UPDATE OF u`);

/** Returns a student of the institution by internal id or login email. */
export async function findStudent(scope: InstitutionScope, idOrEmail: string): Promise<StudentRow | undefined> {
  const [row] = await scope.sql<StudentRow>(isLoginEmail(idOrEmail) ? byLoginEmail : byId, [scope.institutionId, idOrEmail]);
  return row;
}

/** The same inside a transaction: locks the person's row and reads it under the lock. */
export async function lockStudent(scope: InstitutionScope, idOrEmail: string): Promise<StudentRow | undefined> {
  const [row] = await scope.sql<StudentRow>(isLoginEmail(idOrEmail) ? lockByLoginEmail : lockById, [scope.institutionId, idOrEmail]);
  return row;
}

const lockByIdForShare = statement('student_hold_by_id', `${byId.text} FOR SHARE OF u`);
const lockByLoginEmailForShare = statement('student_hold_by_login_email', `${byLoginEmail.text} FOR SHARE OF u`);

/** The same with a share lock until the commit: a suspension is committed before, or waits. */
export async function lockStudentForShare(scope: InstitutionScope, idOrEmail: string): Promise<StudentRow | undefined> {
  const [row] = await scope.sql<StudentRow>(isLoginEmail(idOrEmail) ? lockByLoginEmailForShare : lockByIdForShare, [scope.institutionId, idOrEmail]);
  return row;
}

const writeFields = statement(
  'student_write_fields',
  'UPDATE users SET full_name = $3, external_id = $4, updated_at = greatest(updated_at, $5) WHERE institution_id = $1 AND id = $2',
);

/** Updates name and the institution's own identifier of a locked student; `updated_at` never goes back, because a call that waited for the lock began earlier. */
export async function writeStudentFields(scope: InstitutionScope, { id, full_name, external_id }: StudentRow, now: Date): Promise<void> {
  await scope.sql(writeFields, [scope.institutionId, id, full_name, external_id, now]);
}

// Not prepared: lists of up to 10,000 need a plan for their size.
const byIdsOrEmails = `SELECT u.id, u.id AS named FROM users u WHERE u.institution_id = $1 AND u.kind = 'student' AND u.id = ANY ($2::text[])
   UNION ALL
  SELECT u.id, n.named FROM unnest($3::text[]) AS n (named)
    JOIN institution_emails e ON e.institution_id = $1 AND e.login_email = lower(n.named)
    JOIN users u ON u.id = e.user_id AND u.kind = 'student'`;

/** A list of ids and login emails resolved: the students of the institution, and the entries that name none. */
export interface StudentMatches {
  /** Internal ids, each once. */
  ids: string[];
  /** As sent, without duplicates, in the order of the list. */
  skipped: string[];
}

/** Looks up the students of the institution that a list of ids and login emails names. */
export async function matchStudents(scope: InstitutionScope, idsOrEmails: readonly string[]): Promise<StudentMatches> {
  if (idsOrEmails.length === 0) return { ids: [], skipped: [] };
  const [emails, ids] = [idsOrEmails.filter(isLoginEmail), idsOrEmails.filter((named) => !isLoginEmail(named))];
  const rows = await scope.sql<{ id: string; named: string }>(byIdsOrEmails, [scope.institutionId, ids, [...new Set(emails)]]);
  const found = new Set(rows.map(({ named }) => named));
  return { ids: [...new Set(rows.map(({ id }) => id))], skipped: [...new Set(idsOrEmails)].filter((named) => !found.has(named)) };
}

/** The filters of `GET /students`; undefined ones do not restrict. */
export interface StudentFilter {
  email?: string | undefined;
  status?: UserStatus | undefined;
  student_id?: string | undefined;
  group_id?: string | undefined;
  updated_since?: Date | undefined;
}

const memberCount = statement('students_of_group_count', 'SELECT count(*)::int AS count FROM group_members WHERE institution_id = $1 AND group_id = $2');

/** How many students a filter leaves, where that is known without reading them: all members of a group are students. */
function studentTotal(scope: InstitutionScope, { status, group_id, email, student_id, updated_since }: StudentFilter): (() => Promise<number>) | undefined {
  // Named one by one: callers pass objects with more than the filters.
  const others = [email, student_id, updated_since];
  if (group_id === undefined) return countedTotal(scope, { counted: 'people', kind: 'student', status }, others);
  if ([status, ...others].some((filter) => filter !== undefined)) return undefined;
  return async () => (await scope.sql<{ count: number }>(memberCount, [scope.institutionId, group_id]))[0]?.count ?? 0;
}

/** Those who have changed are read from their index; each member of a group is looked up. */
function maxSorted({ group_id, updated_since }: StudentFilter): number {
  if (group_id !== undefined) return 1_000;
  return updated_since === undefined ? 0 : 50_000;
}

/** One page of the institution's students, newest first. */
export function listStudents(scope: InstitutionScope, filter: StudentFilter, page: Page): Promise<PageOf<StudentRow>> {
  const conditions = definedConditions([
    { sql: 'u.institution_id = $', value: scope.institutionId },
    { sql: 'u.kind = $', value: 'student' },
    { sql: `u.id = ${userIdByLoginEmail}`, value: filter.email },
    { sql: 'u.status = $', value: filter.status },
    { sql: 'u.external_id = $', value: filter.student_id },
    {
      sql: 'EXISTS (SELECT 1 FROM group_members m WHERE m.institution_id = u.institution_id AND m.user_id = u.id AND m.group_id = $)',
      value: filter.group_id,
    },
    { sql: 'u.updated_at >= $', value: filter.updated_since },
  ]);
  const query = { columns, from: 'users u', joins: joinLicense, key: 'u.id', conditions, order: newestFirst('u.created_at', 'u.id') };
  return readPage(scope.sql, { ...query, readTotal: studentTotal(scope, filter), maxSorted: maxSorted(filter) }, page);
}
