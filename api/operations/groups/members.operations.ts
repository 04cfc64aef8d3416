import { addToGroup, removeFromGroup } from '../../../domain/groups/changeMembers';
import { maxMembers } from '../../../domain/groups/limits';
import { operation } from '../../http/operation';
import { deleted, deletedSchema } from '../../http/request/fields';
import { presentChangedGroup } from './groups.presenter';
import { changedGroupSchema, groupParams, membershipParams, newMembersSchema } from './groups.schemas';

const tag = 'Groups';

export const members = [
  operation({
    method: 'POST',
    path: '/groups/:id/members',
    operationId: 'addGroupMembers',
    tag,
    access: { key: 'groups:write' },
    summary: 'Add students to a group; no-op for those who are members.',
    description: `At most ${maxMembers.toLocaleString('en')} members a group, otherwise \`conflict\` and nobody is added.`,
    request: { params: groupParams, body: newMembersSchema },
    response: changedGroupSchema,
    errors: ['not_found', 'conflict', 'no_valid_students'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => presentChangedGroup(await addToGroup(tx, params.id, body.student_ids)),
  }),
  operation({
    method: 'DELETE',
    path: '/groups/:id/members/:studentId',
    operationId: 'removeGroupMember',
    tag,
    access: { key: 'groups:write' },
    summary: 'Remove a student from a group; returns the internal id of the student.',
    request: { params: membershipParams },
    response: deletedSchema('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, tx }) => deleted(await removeFromGroup(tx, params.id, params.studentId)),
  }),
];
