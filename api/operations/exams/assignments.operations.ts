import { listAssignedGroups } from '../../../db/repositories/exams/assignments';
import { addAssignments, removeAssignment } from '../../../domain/exams/assignments';
import { requireExam } from '../../../domain/exams/requireExam';
import { maxGroups } from '../../../domain/exams/limits';
import type { Transaction } from '../../../domain/context';
import { operation } from '../../http/operation';
import { ListCursor } from '../../http/request/cursors';
import { deleted, deletedSchema, listOf, pagingQuery, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { assignmentParams, newAssignments } from './assignments.schemas';
import { presentAssignedGroup } from './exams.presenter';
import { assignedGroupSchema, examParams } from './exams.schemas';

const tag = 'Exams';

/** The list of an exam's groups, to which the cursor in the response to an assignment belongs. */
const listAssignments = 'listExamAssignments';

/** Returns the first page of the groups: the response to an assignment. */
const firstPage = ({ secrets, institutionId }: Transaction, params: IdParams): Paging => ({
  page: 1,
  limit: 200,
  cursor: ListCursor.of().bind(secrets, { list: listAssignments, owner: [institutionId], filters: { ...params } }),
});

export const assignments = [
  operation({
    method: 'GET',
    path: '/exams/:id/assignments',
    operationId: listAssignments,
    tag,
    access: { key: 'exams:read' },
    summary: 'List the groups that an exam is assigned to, the newest assignment first.',
    request: { params: examParams, query: pagingQuery },
    response: listOf(assignedGroupSchema),
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, query, reads }) => {
      await requireExam(reads, params.id);
      return presentPage(await listAssignedGroups(reads, params.id, query), query, presentAssignedGroup);
    },
  }),
  operation({
    method: 'POST',
    path: '/exams/:id/assignments',
    operationId: 'assignExam',
    tag,
    access: { key: 'exams:write' },
    summary: 'Assign an exam to further groups.',
    description:
      'Of a published exam, emits exam.assigned for each new group, and mails its students and their verified guardians. A group that is not ' +
      `of the institution: not_found, and nothing is assigned. Conflict for a closed exam, and beyond ${maxGroups} groups. Returns the first page of all groups.`,
    request: { params: examParams, body: newAssignments },
    response: listOf(assignedGroupSchema),
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => {
      await addAssignments(tx, params.id, body.group_ids);
      const page = firstPage(tx, params);
      return presentPage(await listAssignedGroups(tx, params.id, page), page, presentAssignedGroup);
    },
  }),
  operation({
    method: 'DELETE',
    path: '/exams/:id/assignments/:groupId',
    operationId: 'unassignExam',
    tag,
    access: { key: 'exams:write' },
    summary: 'Unassign an exam from a group; attempts and submissions stay.',
    request: { params: assignmentParams },
    response: deletedSchema('grp_01jd4k6f2mep2s5xg5yhc8m1zr'),
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, tx }) => {
      await removeAssignment(tx, params.id, params.groupId);
      return deleted(params.groupId);
    },
  }),
];
