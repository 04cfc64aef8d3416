import type { InstitutionScope } from '../../database';
import type { UserStatus } from '../../entities/user';
import { definedConditions, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import { userIdByLoginEmail, isLoginEmail, licenseColumns, licensedPeople, joinLicense, type PersonLicenseColumns } from '../people/licensedPeople';

/** What a faculty member's status can be; only students are ever pending. */
export const facultyStatuses = ['active', 'suspended'] as const satisfies readonly UserStatus[];
export type FacultyStatus = (typeof facultyStatuses)[number];

/** A faculty member with login email and license, as one row. */
export interface FacultyRow extends PersonLicenseColumns {
  id: string;
  login_email: string;
  full_name: string;
  external_id: string | null;
  status: FacultyStatus;
  is_admin: boolean;
  profile_completed: boolean;
}

const columns = `u.id, e.login_email, u.full_name, u.external_id, u.status, u.is_admin, u.profile_completed, ${licenseColumns}`;

const one = (condition: string): string => `SELECT ${columns} FROM ${licensedPeople} WHERE u.institution_id = $1 AND u.kind = 'faculty' AND ${condition}`;

const byId = statement('faculty_by_id', one('u.id = $2'));
const byLoginEmail = statement('faculty_by_login_email', one('e.login_email = lower($2)'));
const lockById = statement('faculty_lock_by_id', `${byId.text} FOR NO KEY UPDATE OF u`);
const lockByLoginEmail = statement('faculty_lock_by_login_email', `${byLoginEmail.text} FOR NO KEY UPDATE OF u`);
const lockByIdForShare = statement('faculty_hold_by_id', `${byId.text} FOR SHARE OF u`);
const lockByLoginEmailForShare = statement('faculty_hold_by_login_email', `${byLoginEmail.text} FOR SHARE OF u`);
const lockTheAdminForShare = statement('faculty_hold_admin', `${one('u.is_admin')} FOR SHARE OF u`);
const lockTheAdmin = statement('faculty_lock_admin', `${one('u.is_admin')} FOR NO KEY UPDATE OF u`);

/** A faculty member of the institution, the admin among them, by internal id or login email. */
export async function findFaculty(scope: InstitutionScope, idOrEmail: string): Promise<FacultyRow | undefined> {
  const [row] = await scope.sql<FacultyRow>(isLoginEmail(idOrEmail) ? byLoginEmail : byId, [scope.institutionId, idOrEmail]);
  return row;
}

/** The same inside a transaction, with the person's row locked and read under the lock. */
export async function lockFaculty(scope: InstitutionScope, idOrEmail: string): Promise<FacultyRow | undefined> {
  const [row] = await scope.sql<FacultyRow>(isLoginEmail(idOrEmail) ? lockByLoginEmail : lockById, [scope.institutionId, idOrEmail]);
  return row;
}

/** The same with the row held as it is until the commit: any number may hold it, who changes it waits. */
export async function lockFacultyForShare(scope: InstitutionScope, idOrEmail: string): Promise<FacultyRow | undefined> {
  const [row] = await scope.sql<FacultyRow>(isLoginEmail(idOrEmail) ? lockByLoginEmailForShare : lockByIdForShare, [scope.institutionId, idOrEmail]);
  return row;
}

/**
 * The institution admin, held as {@link lockFacultyForShare} does. Who waits for a hand-over of the role finds that its row is
 * the admin's no longer, and asks once more: a second statement sees the new one.
 */
export async function lockAdminForShare(scope: InstitutionScope): Promise<FacultyRow | undefined> {
  const [row] = await scope.sql<FacultyRow>(lockTheAdminForShare, [scope.institutionId]);
  if (row !== undefined) return row;
  const [handedOver] = await scope.sql<FacultyRow>(lockTheAdminForShare, [scope.institutionId]);
  return handedOver;
}

/** The institution admin, locked as {@link lockFaculty} does; under the institution's lock nobody takes the role meanwhile. */
export async function lockAdmin(scope: InstitutionScope): Promise<FacultyRow | undefined> {
  const [row] = await scope.sql<FacultyRow>(lockTheAdmin, [scope.institutionId]);
  return row;
}

const write = statement(
  'faculty_write',
  'UPDATE users SET full_name = $3, external_id = $4, status = $5, updated_at = $6 WHERE institution_id = $1 AND id = $2',
);

/** Writes the name, the institution's own identifier and the status of a locked faculty member. */
export async function writeFaculty(scope: InstitutionScope, { id, full_name, external_id, status }: FacultyRow, now: Date): Promise<void> {
  await scope.sql(write, [scope.institutionId, id, full_name, external_id, status, now]);
}

const writeRole = statement('faculty_write_role', 'UPDATE users SET is_admin = $3, updated_at = $4 WHERE institution_id = $1 AND id = $2');

/** Makes one locked faculty member the institution admin in place of another; there is one at most at any time. */
export async function moveAdminRole(scope: InstitutionScope, from: string, to: string, now: Date): Promise<void> {
  await scope.sql(writeRole, [scope.institutionId, from, false, now]);
  await scope.sql(writeRole, [scope.institutionId, to, true, now]);
}

/** The filters of `GET /faculty`; undefined ones do not restrict. */
export interface FacultyFilter {
  email?: string | undefined;
  status?: FacultyStatus | undefined;
}

/** One page of the institution's faculty, the admin among them, newest first. */
export function listFaculty(scope: InstitutionScope, filter: FacultyFilter, page: Page): Promise<PageOf<FacultyRow>> {
  const conditions = definedConditions([
    { sql: 'u.institution_id = $', value: scope.institutionId },
    { sql: 'u.kind = $', value: 'faculty' },
    { sql: `u.id = ${userIdByLoginEmail}`, value: filter.email },
    { sql: 'u.status = $', value: filter.status },
  ]);
  return readPage(scope.sql, { columns, from: 'users u', joins: joinLicense, key: 'u.id', conditions, order: newestFirst('u.created_at', 'u.id') }, page);
}
