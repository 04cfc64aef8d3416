import { countAttemptEvents, findAttemptOfSubmission, listAttemptEvents } from '../../../db/repositories/submissions/events';
import { listSubmissions } from '../../../db/repositories/submissions/submissions';
import { requireFound } from '../../../domain/errors';
import { gradeSubmission } from '../../../domain/submissions/gradeSubmission';
import { readSubmissionDetails, signSubmissionFiles } from '../../../domain/submissions/readSubmissionDetails';
import { voidSubmission } from '../../../domain/submissions/voidSubmission';
import { toRealTime } from '../../../domain/clock';
import { operation } from '../../http/operation';
import { listOf, pagingQuery, presentPage } from '../../http/request/fields';
import { presentAttemptEvent, presentSubmission, presentSubmissionSummary, presentSubmittedAttempt } from './submissions.presenter';
import { gradingSchema, submissionEventsSchema, submissionParams, submissionQuery, submissionSchema, submissionSummarySchema, voidingSchema } from './submissions.schemas';

const tag = 'Submissions';

export const submissions = [
  operation({
    method: 'GET',
    path: '/submissions',
    operationId: 'listSubmissions',
    tag,
    access: { key: 'submissions:read' },
    summary: 'List submissions, every version, newest first.',
    description: 'Items have everything of a submission but text, files, `ai_usage_data` and versions, which GET /submissions/{id} has.',
    request: { query: submissionQuery },
    response: listOf(submissionSummarySchema),
    errors: [],
    transaction: 'none',
    discloses: { parameter: 'student_id' },
    handle: async ({ query, reads }) => presentPage(await listSubmissions(reads, query, query), query, presentSubmissionSummary),
  }),
  operation({
    method: 'GET',
    path: '/submissions/:id',
    operationId: 'getSubmission',
    tag,
    access: { key: 'submissions:read' },
    summary: 'Get a submission with its files and all versions.',
    description: 'URLs of files are valid for one hour. `recordings` is there for keys with submissions:write alone.',
    request: { params: submissionParams },
    response: submissionSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: { fields: ['student_id'], recordings: 'recordings' },
    handle: async ({ params, reads, principal, domain, caller }) =>
      presentSubmission(await signSubmissionFiles(domain.files, await readSubmissionDetails(reads, params.id, principal.scopes), toRealTime(caller, caller.now))),
  }),
  operation({
    method: 'GET',
    path: '/submissions/:id/events',
    operationId: 'listSubmissionEvents',
    tag,
    access: { key: 'submissions:read' },
    summary: 'Read what happened in the attempt that a submission came from, oldest first.',
    request: { params: submissionParams, query: pagingQuery },
    response: submissionEventsSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: { fields: ['attempt.student_id'] },
    handle: async ({ params, query, reads }) => {
      const attempt = requireFound(await findAttemptOfSubmission(reads, params.id), 'submission');
      const { items: events, ...page } = presentPage(await listAttemptEvents(reads, attempt.id, query), query, presentAttemptEvent);
      return { attempt: presentSubmittedAttempt(attempt), counts: await countAttemptEvents(reads, attempt.id), events, ...page };
    },
  }),
  operation({
    method: 'POST',
    path: '/submissions/:id/grade',
    operationId: 'gradeSubmission',
    tag,
    access: { key: 'submissions:write' },
    summary: 'Grade a submission, again too, or ask for a resubmission with the score -1.',
    description:
      "A late one loses the exam's late penalty. Emits exam.graded; -1 also mails the student and their verified guardians, and lets the student " +
      'submit again while the exam is published and still takes submissions; what comes after the due date is late. Conflict: a voided ' +
      'submission, any version but the latest, and one of a student who was erased.',
    request: { params: submissionParams, body: gradingSchema },
    response: submissionSchema,
    errors: ['not_found', 'conflict', 'invalid_faculty'],
    transaction: 'write',
    handle: async ({ params, body, principal, domain, caller, tx }) => {
      await gradeSubmission(tx, params.id, body);
      const details = await readSubmissionDetails(tx, params.id, principal.scopes);
      return presentSubmission(await signSubmissionFiles(domain.files, details, toRealTime(caller, caller.now)));
    },
  }),
  operation({
    method: 'POST',
    path: '/submissions/:id/void',
    operationId: 'voidSubmission',
    tag,
    access: { key: 'submissions:write' },
    summary: 'Void a submission: it counts no more, and the student may submit again.',
    description:
      'They may while the exam is published and still takes submissions; what comes after the due date is late. void_failed: a voided submission, one that is to be made again, any version but the latest, and one of a student who was erased. No event.',
    request: { params: submissionParams, body: voidingSchema },
    response: submissionSchema,
    example: { response: { status: 'voided', void_reason: 'Handed in for another student.', voided_at: '2026-11-21T09:00:00.000Z', updated_at: '2026-11-21T09:00:00.000Z', versions: [{ status: 'voided' }] } },
    errors: ['not_found', 'void_failed'],
    transaction: 'write',
    handle: async ({ params, body, principal, domain, caller, tx }) => {
      await voidSubmission(tx, params.id, body.reason ?? null);
      const details = await readSubmissionDetails(tx, params.id, principal.scopes);
      return presentSubmission(await signSubmissionFiles(domain.files, details, toRealTime(caller, caller.now)));
    },
  }),
];
