import { findFaculty, listFaculty, type FacultyFilter } from '../../../db/repositories/faculty/faculty';
import { notFound } from '../../../domain/errors';
import { createFaculty, type NewFaculty } from '../../../domain/faculty/createFaculty';
import { updateFaculty, type FacultyChanges } from '../../../domain/faculty/updateFaculty';
import { publicOperation } from '../../http/operation';
import { listOf, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { presentFaculty } from './faculty.presenter';
import { facultyChanges, facultyParams, facultyQuery, facultySchema, newFacultySchema } from './faculty.schemas';

const tag = 'Faculty';

export const faculty = [
  publicOperation<Record<string, never>, FacultyFilter & Paging>({
    method: 'GET',
    path: '/faculty',
    operationId: 'listFaculty',
    tag,
    scope: 'faculty:read',
    summary: 'List faculty, the institution admin among them, newest first.',
    request: { query: facultyQuery },
    response: listOf(facultySchema),
    errors: [],
    transaction: 'none',
    handle: async ({ query, reads, caller }) =>
      presentPage(await listFaculty(reads, query, query), query, (row) => presentFaculty(row, caller.now)),
  }),
  publicOperation<Record<string, never>, Record<string, never>, NewFaculty>({
    method: 'POST',
    path: '/faculty',
    operationId: 'createFaculty',
    tag,
    scope: 'faculty:write',
    summary: 'Provision a faculty member with a login email and a license of 3 devices.',
    description:
      "Sign-in codes go to the institution admin's mailbox until the profile is complete. Not idempotent: store the returned login_email.",
    request: { body: newFacultySchema.required() },
    response: facultySchema,
    errors: [],
    transaction: 'write',
    handle: async ({ body, caller, tx }) => presentFaculty(await createFaculty(tx, body), caller.now),
  }),
  publicOperation<IdParams>({
    method: 'GET',
    path: '/faculty/:id',
    operationId: 'getFaculty',
    tag,
    scope: 'faculty:read',
    summary: 'Get a faculty member by internal id or login email.',
    request: { params: facultyParams },
    response: facultySchema,
    errors: ['not_found'],
    transaction: 'none',
    handle: async ({ params, reads, caller }) => {
      const member = await findFaculty(reads, params.id);
      if (member === undefined) throw notFound('faculty member');
      return presentFaculty(member, caller.now);
    },
  }),
  publicOperation<IdParams, Record<string, never>, FacultyChanges>({
    method: 'PATCH',
    path: '/faculty/:id',
    operationId: 'updateFaculty',
    tag,
    scope: 'faculty:write',
    summary: 'Change a faculty member; fields left out stay.',
    description:
      'A suspension ends their sessions at once. Their license, groups and exams stay. The institution admin is not changed or suspended with a key (`conflict`): ' +
      'the operators of the platform do that, and hand the role over.',
    request: { params: facultyParams, body: facultyChanges },
    response: facultySchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, caller, tx }) => presentFaculty(await updateFaculty(tx, params.id, body), caller.now),
  }),
];
