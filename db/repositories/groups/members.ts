import type { InstitutionScope } from '../../database';
import type { UserStatus } from '../../entities/user';
import { statement } from '../../statement';

/** A member of a group as `GET /groups/{id}` answers them. */
export interface GroupMemberRow {
  id: string;
  login_email: string;
  full_name: string | null;
  status: UserStatus;
}

const members = statement(
  'group_members_list',
  `SELECT u.id, e.login_email, u.full_name, u.status
     FROM group_members m JOIN users u ON u.id = m.user_id JOIN institution_emails e ON e.user_id = u.id
    WHERE m.institution_id = $1 AND m.group_id = $2 ORDER BY e.login_email`,
);

/** Every member of a group, by login email. */
export function listMembers(scope: InstitutionScope, groupId: string): Promise<GroupMemberRow[]> {
  return scope.sql<GroupMemberRow>(members, [scope.institutionId, groupId]);
}

// Not prepared: lists of up to 10,000 need a plan for their size.
const add = `INSERT INTO group_members (group_id, user_id, institution_id, created_at)
  SELECT $2, member, $1, $4 FROM unnest($3::text[]) member ON CONFLICT DO NOTHING RETURNING 1 AS added`;

const removeOthers = `DELETE FROM group_members m
  WHERE m.institution_id = $1 AND m.group_id = $2 AND NOT EXISTS (SELECT 1 FROM unnest($3::text[]) member WHERE member = m.user_id)
  RETURNING 1 AS removed`;

/** Adds students of the institution to a locked group; returns the number of new members. */
export async function addMembers(scope: InstitutionScope, groupId: string, studentIds: readonly string[], now: Date): Promise<number> {
  if (studentIds.length === 0) return 0;
  return (await scope.sql(add, [scope.institutionId, groupId, studentIds, now])).length;
}

/** Removes every member of a locked group except these students; returns the number removed. */
export async function removeOtherMembers(scope: InstitutionScope, groupId: string, studentIds: readonly string[]): Promise<number> {
  return (await scope.sql(removeOthers, [scope.institutionId, groupId, studentIds])).length;
}

const remove = statement('group_members_remove', 'DELETE FROM group_members WHERE institution_id = $1 AND group_id = $2 AND user_id = $3 RETURNING 1 AS removed');

/** Removes one member of a locked group; false if they are not a member. */
export async function removeMembership(scope: InstitutionScope, groupId: string, studentId: string): Promise<boolean> {
  return (await scope.sql(remove, [scope.institutionId, groupId, studentId])).length > 0;
}
