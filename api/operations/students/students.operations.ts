import { listStudents, type StudentFilter } from '../../../db/repositories/students/students';
import { reactivateStudent, suspendStudent } from '../../../domain/students/changeStatus';
import { createStudent, type NewStudent } from '../../../domain/students/createStudent';
import { requireStudent } from '../../../domain/students/requireStudent';
import { updateStudent, type StudentChanges } from '../../../domain/students/updateStudent';
import { publicOperation } from '../../http/operation';
import { listOf, personParams, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { createStudentsBulk } from './bulk.operations';
import { presentStudent } from './students.presenter';
import { newStudentSchema, studentChanges, studentQuery, studentSchema } from './students.schemas';

const tag = 'Students';

export const students = [
  publicOperation<Record<string, never>, StudentFilter & Paging>({
    method: 'GET',
    path: '/students',
    operationId: 'listStudents',
    tag,
    scope: 'students:read',
    summary: 'List students, newest first.',
    request: { query: studentQuery },
    response: listOf(studentSchema),
    errors: [],
    transaction: 'none',
    handle: async ({ query, reads, caller }) =>
      presentPage(await listStudents(reads, query, query), query, (row) => presentStudent(row, caller.now)),
  }),
  publicOperation<Record<string, never>, Record<string, never>, NewStudent>({
    method: 'POST',
    path: '/students',
    operationId: 'createStudent',
    tag,
    scope: 'students:write',
    summary: 'Provision a student with a login email and a license.',
    description: 'Not idempotent: store the returned login_email; after a call that got no answer, wait until 35 seconds have passed since it was sent, then check with GET /students?student_id= before creating again.',
    request: { body: newStudentSchema.required() },
    response: studentSchema,
    errors: ['conflict'],
    transaction: 'write',
    handle: async ({ body, caller, tx }) => presentStudent(await createStudent(tx, body), caller.now),
  }),
  createStudentsBulk,
  publicOperation<IdParams>({
    method: 'GET',
    path: '/students/:id',
    operationId: 'getStudent',
    tag,
    scope: 'students:read',
    summary: 'Get a student by internal id or login email.',
    request: { params: personParams },
    response: studentSchema,
    errors: ['not_found'],
    transaction: 'none',
    handle: async ({ params, reads, caller }) => {
      const student = await requireStudent(reads, params.id);
      return presentStudent(student, caller.now);
    },
  }),
  publicOperation<IdParams, Record<string, never>, StudentChanges>({
    method: 'PATCH',
    path: '/students/:id',
    operationId: 'updateStudent',
    tag,
    scope: 'students:write',
    summary: 'Change a student; fields left out stay.',
    request: { params: personParams, body: studentChanges },
    response: studentSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, caller, tx }) => presentStudent(await updateStudent(tx, params.id, body), caller.now),
  }),
  publicOperation<IdParams>({
    method: 'POST',
    path: '/students/:id/suspend',
    operationId: 'suspendStudent',
    tag,
    scope: 'students:write',
    summary: 'Suspend a student; their sessions end at once and the license stays.',
    request: { params: personParams },
    response: studentSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, caller, tx }) => presentStudent(await suspendStudent(tx, params.id), caller.now),
  }),
  publicOperation<IdParams>({
    method: 'POST',
    path: '/students/:id/reactivate',
    operationId: 'reactivateStudent',
    tag,
    scope: 'students:write',
    summary: 'Reactivate a suspended student: active if they ever signed in, pending otherwise.',
    request: { params: personParams },
    response: studentSchema,
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, caller, tx }) => presentStudent(await reactivateStudent(tx, params.id), caller.now),
  }),
];
