import { listStudents, type StudentRow } from '../../../db/repositories/students/students';
import type { Transaction } from '../../../domain/context';
import type { ErrorCode } from '../../../domain/errors';
import { examples, exampleTimes } from '../../../domain/exampleSchool';
import { reactivateStudent, suspendStudent } from '../../../domain/students/changeStatus';
import { createStudent } from '../../../domain/students/createStudent';
import { requireStudent } from '../../../domain/students/requireStudent';
import { studentIdTaken } from '../../../domain/students/uniqueStudentIds';
import { updateStudent } from '../../../domain/students/updateStudent';
import { operation, type Operation } from '../../http/operation';
import { adminAccess } from '../../http/security/roles';
import { inPortal } from '../institutions/inPortal';
import { listOf, personParams, presentPage } from '../../http/request/fields';
import { presentStudent } from './students.presenter';
import { newStudentSchema, studentChanges, studentQuery, studentSchema, type StudentResponse } from './students.schemas';

const tag = 'Students';

const transitionOperation = (verb: string, status: StudentResponse['status'], errors: readonly ErrorCode[], command: (tx: Transaction, id: string) => Promise<StudentRow>, summary: string): Operation =>
  operation({
    method: 'POST',
    path: `/students/:id/${verb}`,
    operationId: `${verb}Student`,
    tag,
    access: { key: 'students:write' },
    summary,
    request: { params: personParams },
    response: studentSchema,
    example: { response: { status } },
    errors,
    transaction: 'write',
    handle: async ({ params, caller, tx }) => presentStudent(await command(tx, params.id), caller.now),
  });

export const students = [
  operation({
    method: 'GET',
    path: '/students',
    operationId: 'listStudents',
    tag,
    access: { key: 'students:read', ...adminAccess },
    portal: inPortal('/students', { operationId: 'listStudentsOfInstitution', summary: "List an institution's students, newest first." }),
    summary: 'List students, newest first.',
    request: { query: studentQuery },
    response: listOf(studentSchema),
    errors: [],
    transaction: 'none',
    discloses: { parameter: 'email', identifier: 'student_id' },
    handle: async ({ query, reads, caller }) =>
      presentPage(await listStudents(reads, query, query), query, (row) => presentStudent(row, caller.now)),
  }),
  operation({
    method: 'POST',
    path: '/students',
    operationId: 'createStudent',
    tag,
    access: { key: 'students:write' },
    summary: 'Provision a student with a login email and a license.',
    description: 'Store the returned login_email. After a call that got no answer, send it again with the same Idempotency-Key: without one, the same call makes another student.',
    request: { body: newStudentSchema.required() },
    response: studentSchema,
    example: { response: { status: 'pending', updated_at: exampleTimes.studentCreated } },
    errors: ['conflict'],
    errorExamples: [studentIdTaken(examples.student)],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, caller, tx }) => presentStudent(await createStudent(tx, body), caller.now),
  }),
  operation({
    method: 'GET',
    path: '/students/:id',
    operationId: 'getStudent',
    tag,
    access: { key: 'students:read' },
    summary: 'Get a student by internal id or login email.',
    request: { params: personParams },
    response: studentSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: { fields: ['id'] },
    handle: async ({ params, reads, caller }) => {
      const student = await requireStudent(reads, params.id);
      return presentStudent(student, caller.now);
    },
  }),
  operation({
    method: 'PATCH',
    path: '/students/:id',
    operationId: 'updateStudent',
    tag,
    access: { key: 'students:write' },
    summary: 'Change a student; fields left out stay.',
    request: { params: personParams, body: studentChanges },
    response: studentSchema,
    errors: ['not_found', 'conflict'],
    errorExamples: [studentIdTaken(examples.student)],
    transaction: 'write',
    handle: async ({ params, body, caller, tx }) => presentStudent(await updateStudent(tx, params.id, body), caller.now),
  }),
  transitionOperation('suspend', 'suspended', ['not_found'], suspendStudent, 'Suspend a student; their sessions end at once and the license stays.'),
  transitionOperation('reactivate', 'active', ['not_found', 'conflict'], reactivateStudent, 'Reactivate a suspended student: active if they ever signed in, pending otherwise; conflict for an erased one.'),
];
