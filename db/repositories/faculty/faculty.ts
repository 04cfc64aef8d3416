import type { InstitutionScope } from '../../database';
import type { UserStatus } from '../../entities/user';
import { definedConditions, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import { countedTotal } from '../counts/rowCounts';
import { userIdByLoginEmail, isLoginEmail, licenseColumns, licensedPeople, joinLicense, type PersonLicenseColumns } from '../people/licensedPeople';

/** The statuses of a faculty member; only students can be pending. */
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
  /** When the erasure of the member was requested. */
  erased_at: Date | null;
}

const columns = `u.id, e.login_email, u.full_name, u.external_id, u.status, u.is_admin, u.profile_completed, u.erased_at, ${licenseColumns}`;

const one = (condition: string): string => `SELECT ${columns} FROM ${licensedPeople} WHERE u.institution_id = $1 AND u.kind = 'faculty' AND ${condition}`;

const byId = statement('faculty_by_id', one('u.id = $2'));
const byLoginEmail = statement('faculty_by_login_email', one('e.login_email = lower($2)'));
const lockById = statement('faculty_lock_by_id', `${byId.text} FOR NO KEY UPDATE OF u`);
const lockByLoginEmail = statement('faculty_lock_by_login_email', `${byLoginEmail.text} FOR NO KEY UPDATE OF u`);
const lockByIdForShare = statement('faculty_hold_by_id', `${byId.text} FOR SHARE OF u`);
const lockByLoginEmailForShare = statement('faculty_hold_by_login_email', `${byLoginEmail.text} FOR SHARE OF u`);
const lockTheAdminForShare = statement('faculty_hold_admin', `${one('u.is_admin')} FOR SHARE OF u`);
const lockTheAdmin = statement('faculty_lock_admin', `${one('u.is_admin')} FOR NO KEY UPDATE OF u`);

/** Returns a faculty member of the institution, including the admin, by internal id or login email. */
export async function findFaculty(scope: InstitutionScope, idOrEmail: string): Promise<FacultyRow | undefined> {
  const [row] = await scope.sql<FacultyRow>(isLoginEmail(idOrEmail) ? byLoginEmail : byId, [scope.institutionId, idOrEmail]);
  return row;
}

/** The same inside a transaction: locks the person's row and reads it under the lock. */
export async function lockFaculty(scope: InstitutionScope, idOrEmail: string): Promise<FacultyRow | undefined> {
  const [row] = await scope.sql<FacultyRow>(isLoginEmail(idOrEmail) ? lockByLoginEmail : lockById, [scope.institutionId, idOrEmail]);
  return row;
}

/** The same with a share lock until the commit: others may share it, changes wait. */
export async function lockFacultyForShare(scope: InstitutionScope, idOrEmail: string): Promise<FacultyRow | undefined> {
  const [row] = await scope.sql<FacultyRow>(isLoginEmail(idOrEmail) ? lockByLoginEmailForShare : lockByIdForShare, [scope.institutionId, idOrEmail]);
  return row;
}

/**
 * Returns the institution admin, locked like {@link lockFacultyForShare}. After waiting for a transfer of the role, the
 * locked row is no longer the admin's; a second statement then finds the new admin.
 */
export async function lockAdminForShare(scope: InstitutionScope): Promise<FacultyRow | undefined> {
  const [row] = await scope.sql<FacultyRow>(lockTheAdminForShare, [scope.institutionId]);
  if (row !== undefined) return row;
  const [handedOver] = await scope.sql<FacultyRow>(lockTheAdminForShare, [scope.institutionId]);
  return handedOver;
}

/** Returns the institution admin, locked like {@link lockFaculty}; the institution's lock prevents a transfer of the role. */
export async function lockAdmin(scope: InstitutionScope): Promise<FacultyRow | undefined> {
  const [row] = await scope.sql<FacultyRow>(lockTheAdmin, [scope.institutionId]);
  return row;
}

const write = statement(
  'faculty_write',
  'UPDATE users SET full_name = $3, external_id = $4, status = $5, updated_at = $6 WHERE institution_id = $1 AND id = $2',
);

/** Updates name, the institution's own identifier and status of a locked faculty member. */
export async function writeFaculty(scope: InstitutionScope, { id, full_name, external_id, status }: FacultyRow, now: Date): Promise<void> {
  await scope.sql(write, [scope.institutionId, id, full_name, external_id, status, now]);
}

const writeRole = statement('faculty_write_role', 'UPDATE users SET is_admin = $3, updated_at = $4 WHERE institution_id = $1 AND id = $2');

/** Transfers the role of institution admin between two locked faculty members; there is never more than one admin. */
export async function moveAdminRole(scope: InstitutionScope, from: string, to: string, now: Date): Promise<void> {
  await scope.sql(writeRole, [scope.institutionId, from, false, now]);
  await scope.sql(writeRole, [scope.institutionId, to, true, now]);
}

/** The filters of `GET /faculty`; undefined ones do not restrict. */
export interface FacultyFilter {
  email?: string | undefined;
  faculty_id?: string | undefined;
  status?: FacultyStatus | undefined;
}

/** Returns one page of the institution's faculty, including the admin, newest first. */
export function listFaculty(scope: InstitutionScope, filter: FacultyFilter, page: Page): Promise<PageOf<FacultyRow>> {
  const conditions = definedConditions([
    { sql: 'u.institution_id = $', value: scope.institutionId },
    { sql: 'u.kind = $', value: 'faculty' },
    { sql: `u.id = ${userIdByLoginEmail}`, value: filter.email },
    { sql: 'u.external_id = $', value: filter.faculty_id },
    { sql: 'u.status = $', value: filter.status },
  ]);
  const readTotal = countedTotal(scope, { counted: 'people', kind: 'faculty', status: filter.status }, [filter.email, filter.faculty_id]);
  return readPage(scope.sql, { columns, from: 'users u', joins: joinLicense, key: 'u.id', conditions, order: newestFirst('u.created_at', 'u.id'), readTotal }, page);
}
