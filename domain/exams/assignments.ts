import { assignGroups, countAssignments, lockGroupsForShare, removeOtherAssignments, unassignGroup } from '../../db/repositories/exams/assignments';
import { touchExam } from '../../db/repositories/exams/exams';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { announceAssignments } from './notices/announceAssignments';
import { requireLockedExam } from './requireExam';
import { maxGroups } from './limits';
import { requireNotClosed } from './transitions';

/** AttemptConcurrency of a list that a refusal names. */
const maxNamedPositions = 5;

/** The refusal says where in the list, not what: as for any id, whether it exists elsewhere is not told. */
function unknownGroups(positions: readonly string[]): DomainError {
  const more = positions.length > maxNamedPositions ? ` and ${positions.length - maxNamedPositions} more` : '';
  return notFound('group', `${positions.slice(0, maxNamedPositions).join(', ')}${more}`);
}

/**
 * Assigns a locked exam to groups, none twice. All of them must be the institution's: `not_found` else, and nothing is
 * done. `conflict` when the exam would have more than 500. Answers how many are new.
 */
export async function assignExam(tx: Transaction, examId: string, groupIds: readonly string[]): Promise<number> {
  const wanted = [...new Set(groupIds)];
  const known = await lockGroupsForShare(tx, wanted);
  if (known.size < wanted.length) throw unknownGroups(groupIds.flatMap((id, index) => (known.has(id) ? [] : [`group_ids.${index}`])));
  const added = await assignGroups(tx, examId, wanted, tx.now);
  if (added > 0 && (await countAssignments(tx, examId)) > maxGroups) throw new DomainError('conflict', `An exam is assigned to at most ${maxGroups} groups.`);
  return added;
}

/** Makes these groups the only ones that a locked exam is assigned to, as {@link assignExam}; answers whether that changed anything. */
export async function replaceAssignments(tx: Transaction, examId: string, groupIds: readonly string[]): Promise<boolean> {
  const removed = await removeOtherAssignments(tx, examId, groupIds);
  return (await assignExam(tx, examId, groupIds)) + removed > 0;
}

/**
 * Assigns an exam to further groups (POST /exams/{id}/assignments); those that have it already stay as they are. Of a
 * published exam the new ones are announced: `exam.assigned` for each, and letters. `not_found` for an unknown exam or
 * group, `conflict` for a closed exam.
 */
export async function addAssignments(tx: Transaction, examId: string, groupIds: readonly string[]): Promise<void> {
  const exam = await requireLockedExam(tx, examId);
  requireNotClosed(exam, 'its assignments stay');
  if ((await assignExam(tx, examId, groupIds)) > 0) await touchExam(tx, examId, tx.now);
  await announceAssignments(tx, examId);
}

/** Takes an exam back from a group; `not_found` when it is not assigned to it, `conflict` when it is closed. */
export async function removeAssignment(tx: Transaction, examId: string, groupId: string): Promise<void> {
  const exam = await requireLockedExam(tx, examId);
  requireNotClosed(exam, 'its assignments stay');
  if (!(await unassignGroup(tx, examId, groupId))) throw notFound('assignment');
  await touchExam(tx, examId, tx.now);
}
