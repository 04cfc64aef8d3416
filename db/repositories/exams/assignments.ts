import type { InstitutionScope } from '../../database';
import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';

/** A group that an exam is assigned to. */
export interface AssignedGroupRow {
  id: string;
  name: string;
  member_count: number;
  assigned_at: Date;
}

const lockGroupRows = statement(
  'exam_assignments_hold_groups',
  'SELECT id FROM groups WHERE institution_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR KEY SHARE',
);

/** Locks and returns those of these that are groups of the institution, so that none is deleted before the commit. */
export async function lockGroupsForShare(scope: InstitutionScope, groupIds: readonly string[]): Promise<Set<string>> {
  const rows = await scope.sql<{ id: string }>(lockGroupRows, [scope.institutionId, groupIds]);
  return new Set(rows.map(({ id }) => id));
}

const assign = statement(
  'exam_assignments_add',
  `INSERT INTO exam_assignments (exam_id, group_id, institution_id, created_at)
   SELECT $2, g, $1, $4 FROM unnest($3::text[]) g ON CONFLICT DO NOTHING RETURNING group_id`,
);

/** Assigns a locked exam to groups; returns the number of new assignments. */
export async function assignGroups(scope: InstitutionScope, examId: string, groupIds: readonly string[], now: Date): Promise<number> {
  return (await scope.sql(assign, [scope.institutionId, examId, groupIds, now])).length;
}

const removeOthers = statement(
  'exam_assignments_keep',
  'DELETE FROM exam_assignments WHERE institution_id = $1 AND exam_id = $2 AND group_id <> ALL ($3::text[]) RETURNING group_id',
);

/** Removes every assignment of a locked exam except those to these groups; returns the number removed. */
export async function removeOtherAssignments(scope: InstitutionScope, examId: string, groupIds: readonly string[]): Promise<number> {
  return (await scope.sql(removeOthers, [scope.institutionId, examId, groupIds])).length;
}

const unassign = statement(
  'exam_assignments_remove',
  'DELETE FROM exam_assignments WHERE institution_id = $1 AND exam_id = $2 AND group_id = $3 RETURNING group_id',
);

/** Removes one assignment of a locked exam; false if there is none. */
export async function unassignGroup(scope: InstitutionScope, examId: string, groupId: string): Promise<boolean> {
  return (await scope.sql(unassign, [scope.institutionId, examId, groupId])).length > 0;
}

const lockExams = statement(
  'exam_assignments_lock_exams_of_group',
  `SELECT x.id FROM exams x WHERE x.institution_id = $1 AND x.id IN (SELECT exam_id FROM exam_assignments WHERE institution_id = $1 AND group_id = $2)
    ORDER BY x.id FOR NO KEY UPDATE`,
);

/** Locks the exams assigned to a group; must be called before the group is locked, which is the lock order of assigning. */
export async function lockExamsOfGroup(scope: InstitutionScope, groupId: string): Promise<void> {
  await scope.sql(lockExams, [scope.institutionId, groupId]);
}

const unassignAll = statement(
  'exam_assignments_remove_of_group',
  `WITH gone AS (DELETE FROM exam_assignments WHERE institution_id = $1 AND group_id = $2 RETURNING exam_id)
   UPDATE exams x SET updated_at = greatest(x.updated_at, $3) FROM gone WHERE x.institution_id = $1 AND x.id = gone.exam_id`,
);

/** Unassigns every exam from an exclusively locked group, and updates their `updated_at`. */
export async function unassignAllOfGroup(scope: InstitutionScope, groupId: string, now: Date): Promise<void> {
  await scope.sql(unassignAll, [scope.institutionId, groupId, now]);
}

const count = statement('exam_assignments_count', 'SELECT count(*)::int AS count FROM exam_assignments WHERE institution_id = $1 AND exam_id = $2');

/** Counts the groups that an exam is assigned to. */
export async function countAssignments(scope: InstitutionScope, examId: string): Promise<number> {
  const [row] = await scope.sql<{ count: number }>(count, [scope.institutionId, examId]);
  return row?.count ?? 0;
}

/** One page of the groups that an exam is assigned to, the newest assignment first. */
export function listAssignedGroups(scope: InstitutionScope, examId: string, page: Page): Promise<PageOf<AssignedGroupRow>> {
  return readPage(
    scope.sql,
    {
      columns: 'g.id, g.name, (SELECT count(*)::int FROM group_members m WHERE m.group_id = g.id) AS member_count, a.created_at AS assigned_at',
      from: 'exam_assignments a JOIN groups g ON g.id = a.group_id',
      conditions: [
        { sql: 'a.institution_id = $', value: scope.institutionId },
        { sql: 'a.exam_id = $', value: examId },
      ],
      order: newestFirst('a.created_at', 'g.id'),
    },
    page,
  );
}
