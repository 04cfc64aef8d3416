import { listNewestExamsOfGroup } from '../../../db/repositories/exams/exams';
import { listMembers } from '../../../db/repositories/groups/members';
import { listGroups } from '../../../db/repositories/groups/groups';
import { createGroup } from '../../../domain/groups/createGroup';
import { deleteGroup } from '../../../domain/groups/deleteGroup';
import { requireGroup } from '../../../domain/groups/requireGroup';
import { updateGroup } from '../../../domain/groups/updateGroup';
import { operation } from '../../http/operation';
import { adminAccess } from '../../http/security/roles';
import { inPortal } from '../institutions/inPortal';
import { deleted, deletedSchema, listOf, presentPage } from '../../http/request/fields';
import { presentChangedGroup, presentGroup, presentGroupDetails } from './groups.presenter';
import { changedGroupSchema, maxExamsShown, groupChanges, groupDetailsSchema, groupParams, groupQuery, groupSchema, newGroupSchema } from './groups.schemas';

const tag = 'Groups';

export const groups = [
  operation({
    method: 'GET',
    path: '/groups',
    operationId: 'listGroups',
    tag,
    access: { key: 'groups:read', ...adminAccess },
    portal: inPortal('/groups', { operationId: 'listGroupsOfInstitution', summary: "List an institution's groups, newest first." }),
    summary: 'List groups, newest first.',
    request: { query: groupQuery },
    response: listOf(groupSchema),
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, reads }) => presentPage(await listGroups(reads, query, query), query, presentGroup),
  }),
  operation({
    method: 'POST',
    path: '/groups',
    operationId: 'createGroup',
    tag,
    access: { key: 'groups:write', ...adminAccess },
    portal: inPortal('/groups', {
      operationId: 'createGroupOfInstitution',
      description: 'The rules of POST /v1/groups; `member_count` counts the added members, `skipped` lists the entries of `student_ids` that name no student.',
    }),
    summary: 'Create a group, with its members where they are named.',
    description:
      '`member_count` counts the added members, `skipped` lists the entries of `student_ids` that name no student. The group is created also where all of them are skipped: ' +
      'check that `skipped` is empty. A change (`PATCH /groups/{id}`) with such a list is `no_valid_students` and keeps the members.',
    request: { body: newGroupSchema.required() },
    response: changedGroupSchema,
    example: { response: { member_count: 2 } },
    errors: ['invalid_faculty', 'no_owner'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, tx }) => presentChangedGroup(await createGroup(tx, body)),
  }),
  operation({
    method: 'GET',
    path: '/groups/:id',
    operationId: 'getGroup',
    tag,
    access: { key: 'groups:read' },
    summary: 'Get a group with its members and assigned exams.',
    request: { params: groupParams },
    response: groupDetailsSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ params, reads }) => {
      const group = await requireGroup(reads, params.id);
      const exams = await listNewestExamsOfGroup(reads, group.id, maxExamsShown);
      return presentGroupDetails({ group, members: await listMembers(reads, group.id), exams });
    },
  }),
  operation({
    method: 'PATCH',
    path: '/groups/:id',
    operationId: 'updateGroup',
    tag,
    access: { key: 'groups:write' },
    summary: 'Change a group; fields left out stay.',
    description: '`student_ids` replaces the entire membership.',
    request: { params: groupParams, body: groupChanges },
    response: changedGroupSchema,
    example: { response: { member_count: 2 } },
    errors: ['not_found', 'invalid_faculty', 'no_valid_students'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => presentChangedGroup(await updateGroup(tx, params.id, body)),
  }),
  operation({
    method: 'DELETE',
    path: '/groups/:id',
    operationId: 'deleteGroup',
    tag,
    access: { key: 'groups:write' },
    summary: 'Delete a group and unassign its exams; students, exams and submissions stay.',
    request: { params: groupParams },
    response: deletedSchema('grp_01jd4k6f2mep2s5xg5yhc8m1zr'),
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, tx }) => {
      await deleteGroup(tx, params.id);
      return deleted(params.id);
    },
  }),
];
