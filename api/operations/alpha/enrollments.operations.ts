import { listEnrollments, type EnrollmentFilter } from '../../../db/repositories/alpha/enrollments';
import { changeEnrollment } from '../../../domain/alpha/changeEnrollment';
import { enrollmentLimits, enrollStudents, type EnrollmentRequest } from '../../../domain/alpha/enrollStudents';
import { publicOperation } from '../../http/operation';
import { listOf, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { presentEnrollmentResult, presentEnrollment } from './enrollments.presenter';
import { enrollmentResultSchema, enrollmentRequestSchema, enrollmentChange, enrollmentParams, enrollmentQuery, enrollmentSchema, type EnrollmentChange } from './enrollments.schemas';

const tag = 'Alpha Learning';

export const enrollments = [
  publicOperation<Record<string, never>, EnrollmentFilter & Paging>({
    method: 'GET',
    path: '/alpha/enrollments',
    operationId: 'listEnrollments',
    tag,
    scope: 'alpha:read',
    summary: 'List enrollments, newest first.',
    request: { query: enrollmentQuery },
    response: listOf(enrollmentSchema),
    errors: [],
    transaction: 'none',
    handle: async ({ query, reads }) => presentPage(await listEnrollments(reads, query, query), query, presentEnrollment),
  }),
  publicOperation<Record<string, never>, Record<string, never>, EnrollmentRequest>({
    method: 'POST',
    path: '/alpha/enrollments',
    operationId: 'enrollStudents',
    tag,
    scope: 'alpha:write',
    summary: `Enroll up to ${enrollmentLimits.students} students in a published curriculum.`,
    description: 'Whoever has an enrollment in it that is not withdrawn keeps it as it is, its daily target too: the call may be repeated.',
    request: { body: enrollmentRequestSchema },
    response: enrollmentResultSchema,
    errors: ['not_found', 'no_valid_students'],
    transaction: 'write',
    handle: async ({ body, tx }) => presentEnrollmentResult(await enrollStudents(tx, body)),
  }),
  publicOperation<IdParams, Record<string, never>, EnrollmentChange>({
    method: 'PATCH',
    path: '/alpha/enrollments/:id',
    operationId: 'updateEnrollment',
    tag,
    scope: 'alpha:write',
    summary: 'Pause, resume or withdraw an enrollment.',
    description: 'Conflict for a completed one and for a withdrawn one, which stay as they are: enroll the student anew after a withdrawal. What they mastered stays theirs.',
    request: { params: enrollmentParams, body: enrollmentChange },
    response: enrollmentSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => presentEnrollment(await changeEnrollment(tx, params.id, body.status)),
  }),
];
