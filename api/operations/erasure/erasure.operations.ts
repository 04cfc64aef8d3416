import { findFaculty } from '../../../db/repositories/faculty/faculty';
import { eraseFaculty, eraseGuardian, eraseStudent, requireErasure, requireErasureOfLink } from '../../../domain/erasure/requestErasure';
import { requireFound } from '../../../domain/errors';
import { requireStudent } from '../../../domain/students/requireStudent';
import { operation } from '../../http/operation';
import { personParams } from '../../http/request/fields';
import { facultyParams } from '../faculty/faculty.schemas';
import { guardianParams } from '../guardians/guardians.schemas';
import { presentErasure } from './erasure.presenter';
import { erasureExamples, erasureSchema } from './erasure.schemas';

const erased = 'a workflow erases everything else; GET …/erasure shows its progress and, at the end, the certificate. A second call returns the erasure as it is. This cannot be undone.';

/** What is other in an example while the erasure has only begun. */
const beginning = { status: 'running', completed_at: null, progress: { done: 2 }, certificate: null } as const;

export const erasures = [
  operation({
    method: 'POST',
    path: '/students/:id/erase',
    operationId: 'eraseStudent',
    tag: 'Students',
    access: { key: 'students:write' },
    summary: 'Erase a student: everything personal, in every store; scores, ledgers and counts stay.',
    description:
      `At once the student is suspended and signed out, name, \`student_id\` and personal email are gone, the license is revoked and the links of guardians are removed; ${erased} ` +
      'Emits student.updated. Refer to the student by id from now on: the login email becomes another one.',
    request: { params: personParams },
    response: erasureSchema,
    example: { response: { ...erasureExamples.student, ...beginning } },
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, tx }) => presentErasure(await eraseStudent(tx, params.id)),
  }),
  operation({
    method: 'GET',
    path: '/students/:id/erasure',
    operationId: 'getStudentErasure',
    tag: 'Students',
    access: { key: 'students:read' },
    summary: "Get a student's erasure: its progress, and the certificate once it is done.",
    request: { params: personParams },
    response: erasureSchema,
    example: { response: erasureExamples.student },
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, reads }) => {
      const student = await requireStudent(reads, params.id);
      return presentErasure(await requireErasure(reads, student.id));
    },
  }),
  operation({
    method: 'POST',
    path: '/faculty/:id/erase',
    operationId: 'eraseFaculty',
    tag: 'Faculty',
    access: { key: 'faculty:write' },
    summary: 'Erase a faculty member: everything personal, in every store; groups, exams and grades stay.',
    description:
      `At once the member is suspended and signed out, name, \`faculty_id\`, profile and mailbox are gone, and the license is revoked; ${erased} ` +
      'Not the institution admin (`conflict`): the operators of the platform transfer the role first. No event.',
    request: { params: facultyParams },
    response: erasureSchema,
    example: { response: { ...erasureExamples.faculty, ...beginning } },
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, tx }) => presentErasure(await eraseFaculty(tx, params.id)),
  }),
  operation({
    method: 'GET',
    path: '/faculty/:id/erasure',
    operationId: 'getFacultyErasure',
    tag: 'Faculty',
    access: { key: 'faculty:read' },
    summary: "Get a faculty member's erasure: its progress, and the certificate once it is done.",
    request: { params: facultyParams },
    response: erasureSchema,
    example: { response: erasureExamples.faculty },
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, reads }) => {
      const member = requireFound(await findFaculty(reads, params.id), 'faculty member');
      return presentErasure(await requireErasure(reads, member.id));
    },
  }),
  operation({
    method: 'POST',
    path: '/guardians/:id/erase',
    operationId: 'eraseGuardian',
    tag: 'Guardians',
    access: { key: 'guardians:write' },
    summary: 'Erase the guardian of a link, with all links of this address in the institution.',
    description: `At once the person, their links, sessions and sign-in codes are deleted; ${erased} Both are found by the id of any of the links. No event.`,
    request: { params: guardianParams },
    response: erasureSchema,
    example: { response: { ...erasureExamples.guardian, ...beginning } },
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, tx }) => presentErasure(await eraseGuardian(tx, params.id)),
  }),
  operation({
    method: 'GET',
    path: '/guardians/:id/erasure',
    operationId: 'getGuardianErasure',
    tag: 'Guardians',
    access: { key: 'guardians:read' },
    summary: "Get a guardian's erasure by the id of a former link: its progress, and the certificate once it is done.",
    request: { params: guardianParams },
    response: erasureSchema,
    example: { response: erasureExamples.guardian },
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, reads }) => presentErasure(await requireErasureOfLink(reads, params.id)),
  }),
];
