import type { InstitutionScope } from '../../database';
import { definedConditions, likePattern, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import { personCondition } from '../people/licensedPeople';

/** The columns of a group that are written. */
export interface GroupColumns {
  id: string;
  faculty_id: string;
  name: string;
  description: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A group in a response. */
export interface GroupRow extends GroupColumns {
  member_count: number;
}

const writtenColumns = 'g.id, g.faculty_id, g.name, g.description, g.created_at, g.updated_at';
const columns = `${writtenColumns}, (SELECT count(*)::int FROM group_members m WHERE m.group_id = g.id) AS member_count`;
const own = 'FROM groups g WHERE g.institution_id = $1 AND g.id = $2';

const byId = statement('group_by_id', `SELECT ${columns} ${own}`);
const lockById = statement('group_lock', `SELECT ${writtenColumns} ${own} FOR NO KEY UPDATE`);
const lockToRemove = statement('group_lock_to_remove', `SELECT ${writtenColumns} ${own} FOR UPDATE`);

/** A group of the institution. */
export async function findGroup(scope: InstitutionScope, id: string): Promise<GroupRow | undefined> {
  const [row] = await scope.sql<GroupRow>(byId, [scope.institutionId, id]);
  return row;
}

/** Locks a group for changes of it and its members; exams may be assigned to it concurrently. */
export async function lockGroup(scope: InstitutionScope, id: string): Promise<GroupColumns | undefined> {
  const [row] = await scope.sql<GroupColumns>(lockById, [scope.institutionId, id]);
  return row;
}

/** Locks a group exclusively: no row that references it can be written until the commit. */
export async function lockGroupExclusively(scope: InstitutionScope, id: string): Promise<GroupColumns | undefined> {
  const [row] = await scope.sql<GroupColumns>(lockToRemove, [scope.institutionId, id]);
  return row;
}

const insert = statement(
  'group_insert',
  'INSERT INTO groups (id, institution_id, faculty_id, name, description, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
);

/** Writes a new group. */
export async function insertGroup(scope: InstitutionScope, { id, faculty_id, name, description, created_at, updated_at }: GroupColumns): Promise<void> {
  await scope.sql(insert, [id, scope.institutionId, faculty_id, name, description, created_at, updated_at]);
}

const change = statement(
  'group_update',
  'UPDATE groups SET faculty_id = $3, name = $4, description = $5, updated_at = greatest(updated_at, $6) WHERE institution_id = $1 AND id = $2',
);

/** Updates a locked group. `updated_at` never decreases, although a transaction that waited for the lock began earlier. */
export async function writeGroup(scope: InstitutionScope, { id, faculty_id, name, description, updated_at }: GroupColumns): Promise<void> {
  await scope.sql(change, [scope.institutionId, id, faculty_id, name, description, updated_at]);
}

const removeMemberships = statement('group_remove_memberships', 'DELETE FROM group_members WHERE institution_id = $1 AND group_id = $2');
const removeItself = statement('group_remove', 'DELETE FROM groups WHERE institution_id = $1 AND id = $2');

/** Deletes an exclusively locked group without exams, with its memberships; students stay. */
export async function removeGroup(scope: InstitutionScope, id: string): Promise<void> {
  for (const one of [removeMemberships, removeItself]) await scope.sql(one, [scope.institutionId, id]);
}

/** The filters of `GET /groups`; undefined ones do not restrict. */
export interface GroupFilter {
  /** The owner's id or login email. */
  faculty_id?: string | undefined;
  /** A part of the name or description, case-insensitive, without wildcards. */
  q?: string | undefined;
}

/** One page of the institution's groups, newest first. */
export function listGroups(scope: InstitutionScope, { faculty_id, q }: GroupFilter, page: Page): Promise<PageOf<GroupRow>> {
  const conditions = definedConditions([
    { sql: 'g.institution_id = $', value: scope.institutionId },
    { sql: personCondition('g.faculty_id', faculty_id ?? ''), value: faculty_id },
    { sql: '(g.name ILIKE $ OR g.description ILIKE $)', value: q === undefined ? undefined : likePattern(q) },
  ]);
  return readPage(scope.sql, { columns, from: 'groups g', key: 'g.id', conditions, order: newestFirst('g.created_at', 'g.id') }, page);
}
