import { findFaculty, listFaculty } from '../../../db/repositories/faculty/faculty';
import { requireFound } from '../../../domain/errors';
import { createFaculty } from '../../../domain/faculty/createFaculty';
import { updateFaculty } from '../../../domain/faculty/updateFaculty';
import { operation } from '../../http/operation';
import { listOf, presentPage } from '../../http/request/fields';
import { presentFaculty } from './faculty.presenter';
import { facultyChanges, facultyExample, facultyParams, facultyQuery, facultySchema, newFacultySchema } from './faculty.schemas';

const tag = 'Faculty';

export const faculty = [
  operation({
    method: 'GET',
    path: '/faculty',
    operationId: 'listFaculty',
    tag,
    access: { key: 'faculty:read' },
    summary: 'List faculty, the institution admin among them, newest first.',
    request: { query: facultyQuery },
    response: listOf(facultySchema),
    example: { response: { items: [facultyExample] } },
    errors: [],
    transaction: 'none',
    discloses: { parameter: 'email', identifier: 'faculty_id' },
    handle: async ({ query, reads, caller }) =>
      presentPage(await listFaculty(reads, query, query), query, (row) => presentFaculty(row, caller.now)),
  }),
  operation({
    method: 'POST',
    path: '/faculty',
    operationId: 'createFaculty',
    tag,
    access: { key: 'faculty:write' },
    summary: 'Provision a faculty member with a login email and a license of 3 devices.',
    description:
      "Sign-in codes go to the institution admin's mailbox until the profile is complete. Store the returned login_email.",
    request: { body: newFacultySchema.required() },
    response: facultySchema,
    example: { response: { ...facultyExample, profile_completed: false } },
    errors: [],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, caller, tx }) => presentFaculty(await createFaculty(tx, body), caller.now),
  }),
  operation({
    method: 'GET',
    path: '/faculty/:id',
    operationId: 'getFaculty',
    tag,
    access: { key: 'faculty:read' },
    summary: 'Get a faculty member by internal id or login email.',
    request: { params: facultyParams },
    response: facultySchema,
    example: { response: facultyExample },
    errors: ['not_found'],
    transaction: 'none',
    discloses: { fields: ['id'] },
    handle: async ({ params, reads, caller }) => {
      const member = requireFound(await findFaculty(reads, params.id), 'faculty member');
      return presentFaculty(member, caller.now);
    },
  }),
  operation({
    method: 'PATCH',
    path: '/faculty/:id',
    operationId: 'updateFaculty',
    tag,
    access: { key: 'faculty:write' },
    summary: 'Change a faculty member; fields left out stay.',
    description:
      'A suspension ends their sessions at once. Their license, groups and exams stay. The institution admin is not changed or suspended with a key (`conflict`): ' +
      'the operators of the platform do that, and they or the admin hand the role over.',
    request: { params: facultyParams, body: facultyChanges },
    response: facultySchema,
    example: { response: facultyExample },
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, caller, tx }) => presentFaculty(await updateFaculty(tx, params.id, body), caller.now),
  }),
];
