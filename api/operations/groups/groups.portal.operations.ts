import { listGroups, type GroupFilter } from '../../../db/repositories/groups/groups';
import { createGroup, type NewGroup } from '../../../domain/groups/createGroup';
import { platformOperation } from '../../http/operation';
import { listOf, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { presentChangedGroup, presentGroup } from './groups.presenter';
import { changedGroupSchema, groupQuery, groupSchema, newGroupSchema } from './groups.schemas';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { adminRoles } from '../../http/security/roles';

/** The groups of an institution by the portal as by the API (section What the service does, rule 2): the same rows, shown alike. */
export const portalGroups = [
  platformOperation<IdParams, GroupFilter & Paging>({
    method: 'GET',
    path: '/institutions/:id/groups',
    operationId: 'listGroupsOfInstitution',
    tag: 'Groups',
    roles: adminRoles,
    institution: 'path',
    summary: "List an institution's groups, newest first.",
    request: { params: institutionParams, query: groupQuery },
    response: listOf(groupSchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: async ({ query, reads }) => presentPage(await listGroups(reads, query, query), query, presentGroup),
  }),
  platformOperation<IdParams, Record<string, never>, NewGroup>({
    method: 'POST',
    path: '/institutions/:id/groups',
    operationId: 'createGroupOfInstitution',
    tag: 'Groups',
    roles: adminRoles,
    institution: 'path',
    summary: 'Create a group, with its members where they are named.',
    description: 'The rules of POST /v1/groups; `member_count` counts the members that landed, `skipped` lists what of `student_ids` names nobody.',
    request: { params: institutionParams, body: newGroupSchema.required() },
    response: changedGroupSchema,
    errors: ['not_found', 'institution_not_approved', 'invalid_faculty', 'no_owner'],
    transaction: 'write',
    handle: async ({ body, tx }) => presentChangedGroup(await createGroup(tx, body)),
  }),
];
