import { listEnrollments } from '../../../db/repositories/alpha/enrollments';
import { changeEnrollment } from '../../../domain/alpha/changeEnrollment';
import { enrollmentLimits, enrollStudents } from '../../../domain/alpha/enrollStudents';
import { operation } from '../../http/operation';
import { listOf, presentPage } from '../../http/request/fields';
import { presentEnrollmentResult, presentEnrollment } from './enrollments.presenter';
import { enrollmentResultSchema, enrollmentRequestSchema, enrollmentChange, enrollmentParams, enrollmentQuery, enrollmentSchema } from './enrollments.schemas';

const tag = 'Alpha Learning';

export const enrollments = [
  operation({
    method: 'GET',
    path: '/alpha/enrollments',
    operationId: 'listEnrollments',
    tag,
    access: { key: 'alpha:read' },
    summary: 'List enrollments, newest first.',
    request: { query: enrollmentQuery },
    response: listOf(enrollmentSchema),
    errors: [],
    transaction: 'none',
    discloses: { parameter: 'student_id' },
    handle: async ({ query, reads }) => presentPage(await listEnrollments(reads, query, query), query, presentEnrollment),
  }),
  operation({
    method: 'POST',
    path: '/alpha/enrollments',
    operationId: 'enrollStudents',
    tag,
    access: { key: 'alpha:write' },
    summary: `Enroll up to ${enrollmentLimits.students} students in a published curriculum.`,
    description: 'Students who already have an enrollment in it that is not withdrawn keep it unchanged, with its daily target, so the call is safe to repeat.',
    request: { body: enrollmentRequestSchema },
    response: enrollmentResultSchema,
    example: { response: { enrollments: [{ updated_at: '2026-09-03T08:00:00.000Z' }] } },
    errors: ['not_found', 'no_valid_students'],
    transaction: 'write',
    handle: async ({ body, tx }) => presentEnrollmentResult(await enrollStudents(tx, body)),
  }),
  operation({
    method: 'PATCH',
    path: '/alpha/enrollments/:id',
    operationId: 'updateEnrollment',
    tag,
    access: { key: 'alpha:write' },
    summary: 'Pause, resume or withdraw an enrollment.',
    description: 'Completed and withdrawn enrollments cannot be changed: conflict. To undo a withdrawal, enroll the student again; mastered concepts are kept.',
    request: { params: enrollmentParams, body: enrollmentChange },
    response: enrollmentSchema,
    example: { response: { status: 'paused', updated_at: '2026-11-30T09:00:00.000Z' } },
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => presentEnrollment(await changeEnrollment(tx, params.id, body.status)),
  }),
];
