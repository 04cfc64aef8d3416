import { listGroups, type GroupFilter } from '../../../db/repositories/groups';
import { listStudents, type StudentFilter } from '../../../db/repositories/students';
import { createGroup, type NewGroup } from '../../../domain/groups/createGroup';
import { platformEndpoint, type PlatformRole } from '../../http/endpoint';
import { listOf, presentPage, type IdParams, type Paging } from '../../http/fields';
import { presentGroup } from '../../resources/groups/groups.presenter';
import { groupQuery, groupSchema, newGroupSchema } from '../../resources/groups/groups.schemas';
import { presentStudent } from '../../resources/students/students.presenter';
import { studentQuery, studentSchema } from '../../resources/students/students.schemas';
import { institutionParams } from '../institutions/institutions.schemas';

const roles: readonly PlatformRole[] = ['admin', 'platform'];

/** The same data by the portal as by the API (section What the service does, rule 2): the same rows, shown alike. */
export const people = [
  platformEndpoint<IdParams, StudentFilter & Paging>({
    method: 'GET',
    path: '/institutions/:id/students',
    operationId: 'listStudentsOfInstitution',
    tag: 'Students',
    roles,
    institution: 'path',
    summary: "List an institution's students, newest first.",
    request: { params: institutionParams, query: studentQuery },
    response: listOf(studentSchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: async ({ query, reads, caller: { now } }) => presentPage(await listStudents(reads, query, query), query, (row) => presentStudent(row, now)),
  }),
  platformEndpoint<IdParams, GroupFilter & Paging>({
    method: 'GET',
    path: '/institutions/:id/groups',
    operationId: 'listGroupsOfInstitution',
    tag: 'Groups',
    roles,
    institution: 'path',
    summary: "List an institution's groups, newest first.",
    request: { params: institutionParams, query: groupQuery },
    response: listOf(groupSchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: async ({ query, reads }) => presentPage(await listGroups(reads, query, query), query, presentGroup),
  }),
  platformEndpoint<IdParams, Record<string, never>, NewGroup>({
    method: 'POST',
    path: '/institutions/:id/groups',
    operationId: 'createGroupOfInstitution',
    tag: 'Groups',
    roles,
    institution: 'path',
    summary: 'Create a group, with its members where they are named.',
    description: 'The rules of POST /v1/groups; `member_count` counts the members that landed.',
    request: { params: institutionParams, body: newGroupSchema.required() },
    response: groupSchema,
    errors: ['not_found', 'institution_not_approved', 'invalid_faculty', 'no_owner'],
    transaction: 'write',
    handle: async ({ body, tx }) => presentGroup(await createGroup(tx, body)),
  }),
];
