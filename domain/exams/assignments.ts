import { assignGroups, countAssignments, lockGroupsForShare, removeOtherAssignments, unassignGroup } from '../../db/repositories/exams/assignments';
import { touchExam } from '../../db/repositories/exams/exams';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { announceAssignments } from './notices/announceAssignments';
import { requireLockedExam } from './requireExam';
import { maxGroups } from './limits';
import { requireNotClosed } from './transitions';

/** Maximum number of list positions in one error message. */
const maxNamedPositions = 5;

/** Returns the 404 for unknown groups by their position in the list: it does not reveal whether an id exists in another institution. */
function unknownGroups(positions: readonly string[]): DomainError {
  const more = positions.length > maxNamedPositions ? ` and ${positions.length - maxNamedPositions} more` : '';
  return notFound('group', { id: `${positions.slice(0, maxNamedPositions).join(', ')}${more}`, hint: 'The id of a group begins with grp_; GET /v1/groups lists them.' });
}

/**
 * Assigns a locked exam to groups, none twice, and returns the number of new assignments. `not_found` if one of them is
 * not the institution's, and nothing is changed. `conflict` above 500 groups.
 */
export async function assignExam(tx: Transaction, examId: string, groupIds: readonly string[]): Promise<number> {
  const wanted = [...new Set(groupIds)];
  const known = await lockGroupsForShare(tx, wanted);
  if (known.size < wanted.length) throw unknownGroups(groupIds.flatMap((id, index) => (known.has(id) ? [] : [`group_ids.${index}`])));
  const added = await assignGroups(tx, examId, wanted, tx.now);
  if (added > 0 && (await countAssignments(tx, examId)) > maxGroups) throw new DomainError('conflict', `An exam can be assigned to at most ${maxGroups} groups.`);
  return added;
}

/** Replaces the groups of a locked exam, with the rules of {@link assignExam}; returns whether anything changed. */
export async function replaceAssignments(tx: Transaction, examId: string, groupIds: readonly string[]): Promise<boolean> {
  const removed = await removeOtherAssignments(tx, examId, groupIds);
  return (await assignExam(tx, examId, groupIds)) + removed > 0;
}

/**
 * Assigns an exam to more groups (POST /exams/{id}/assignments); existing assignments stay. For a published exam the new
 * ones are announced: `exam.assigned` for each, and emails. `not_found` for an unknown exam or group, `conflict` for a
 * closed exam.
 */
export async function addAssignments(tx: Transaction, examId: string, groupIds: readonly string[]): Promise<void> {
  const exam = await requireLockedExam(tx, examId);
  requireNotClosed(exam, 'its assignments stay');
  if ((await assignExam(tx, examId, groupIds)) > 0) await touchExam(tx, examId, tx.now);
  await announceAssignments(tx, examId);
}

/** Removes the assignment of an exam to a group; `not_found` if it is not assigned, `conflict` if the exam is closed. */
export async function removeAssignment(tx: Transaction, examId: string, groupId: string): Promise<void> {
  const exam = await requireLockedExam(tx, examId);
  requireNotClosed(exam, 'its assignments stay');
  if (!(await unassignGroup(tx, examId, groupId))) throw notFound('assignment');
  await touchExam(tx, examId, tx.now);
}
