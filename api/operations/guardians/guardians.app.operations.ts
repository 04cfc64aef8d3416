import { findFollowedStudent, listFollowedReports } from '../../../db/repositories/guardians/portal';
import type { InstitutionScope } from '../../../db/database';
import { requireFound } from '../../../domain/errors';
import { acceptInvitation } from '../../../domain/guardians/acceptInvitation';
import { linkStatus } from '../../../domain/guardians/linkStatus';
import { readFollowedExams, readFollowedStudents, readFollowedSubmission } from '../../../domain/guardians/readFollowed';
import type { PlatformCaller } from '../../http/access';
import { toRealTime } from '../../../domain/clock';
import { operation } from '../../http/operation';
import { listOf, pagingQuery, personParams, presentPage } from '../../http/request/fields';
import { submissionParams } from '../submissions/submissions.schemas';
import { presentFollowedExam, presentFollowedStudent, presentFollowedSubmission } from './guardians.app.presenter';
import { acceptanceSchema, acceptedInvitationSchema, followedExamSchema, followedStudentSchema, followedStudentsQuery, followedSubmissionSchema } from './guardians.app.schemas';
import { followedReportSchema, presentFollowedReport } from './reports.app.presenter';

const tag = 'Guardian portal';

/** Returns the student of a path if the guardian has a verified link to them. */
async function requireFollowedStudentId(reads: InstitutionScope, { actorId }: PlatformCaller, idOrEmail: string): Promise<string> {
  const { id } = requireFound(await findFollowedStudent(reads, actorId, idOrEmail), 'student');
  return id;
}

export const guardianPortal = [
  operation({
    method: 'POST',
    path: '/guardian-invitations/accept',
    operationId: 'acceptGuardianInvitation',
    tag,
    access: { public: true },
    institution: 'none',
    summary: 'Accept a guardian invitation with the token from its email.',
    description: 'The guardian then signs in by code with the address that the email was sent to. Conflict: used, expired, or replaced by a newer one.',
    request: { body: acceptanceSchema },
    response: acceptedInvitationSchema,
    errors: ['not_found', 'conflict', 'institution_not_approved', 'rate_limiter_unavailable'],
    transaction: 'none',
    handle: async ({ body, domain, caller }) => {
      const link = await acceptInvitation(domain, body.token, caller.now);
      return {
        id: link.id,
        status: linkStatus(link, caller.now),
        institution: { id: link.institution_id, name: link.institution_name },
        student: { full_name: link.student_full_name },
        expires_at: link.expires_at.toISOString(),
      };
    },
  }),
  operation({
    method: 'GET',
    path: '/guardian/students',
    operationId: 'listFollowedStudents',
    tag,
    access: { app: ['guardian'] },
    institution: 'caller',
    summary: "List the session's students with their newest exams, submissions and weekly reports; the newest link first.",
    description: 'Those to whom a verified link leads at this moment. URLs of files are valid for one hour. Recordings are never shown.',
    request: { query: followedStudentsQuery },
    response: listOf(followedStudentSchema),
    errors: ['institution_not_approved'],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ query, reads, principal, domain, caller }) => {
      const students = await readFollowedStudents({ scope: reads, files: domain.files, now: toRealTime(caller, caller.now) }, principal.actorId, query);
      return presentPage(students, query, presentFollowedStudent);
    },
  }),
  operation({
    method: 'GET',
    path: '/guardian/students/:id/exams',
    operationId: 'listFollowedExams',
    tag,
    access: { app: ['guardian'] },
    institution: 'caller',
    summary: 'List the exams that one of the students sees, with what they have handed in, newest first.',
    description: 'URLs of files are valid for one hour. Recordings are never shown.',
    request: { params: personParams, query: pagingQuery },
    response: listOf(followedExamSchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: { parameter: 'id' },
    handle: async ({ params, query, reads, principal, domain, caller }) => {
      const studentId = await requireFollowedStudentId(reads, principal, params.id);
      return presentPage(await readFollowedExams({ scope: reads, files: domain.files, now: toRealTime(caller, caller.now) }, studentId, query), query, presentFollowedExam);
    },
  }),
  operation({
    method: 'GET',
    path: '/guardian/submissions/:id',
    operationId: 'getFollowedSubmission',
    tag,
    access: { app: ['guardian'] },
    institution: 'caller',
    summary: 'Read what one of the students has handed in, its text too.',
    description: 'A version as the exams list it, by its id. URLs of files are valid for one hour. Recordings are never shown.',
    request: { params: submissionParams },
    response: followedSubmissionSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: { fields: ['student_id'] },
    handle: async ({ params, reads, principal, domain, caller }) =>
      presentFollowedSubmission(await readFollowedSubmission({ scope: reads, files: domain.files, now: toRealTime(caller, caller.now) }, principal.actorId, params.id)),
  }),
  operation({
    method: 'GET',
    path: '/guardian/students/:id/reports',
    operationId: 'listFollowedReports',
    tag,
    access: { app: ['guardian'] },
    institution: 'caller',
    summary: 'List the weekly Alpha reports of one of the students, newest first.',
    request: { params: personParams, query: pagingQuery },
    response: listOf(followedReportSchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: { parameter: 'id' },
    handle: async ({ params, query, reads, principal }) => {
      const studentId = await requireFollowedStudentId(reads, principal, params.id);
      return presentPage(await listFollowedReports(reads, studentId, query), query, presentFollowedReport);
    },
  }),
];
