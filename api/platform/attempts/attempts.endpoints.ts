import type { SentEvent } from '../../../domain/attempts/feedTypes';
import { recordEvents } from '../../../domain/attempts/recordEvents';
import { startAttempt } from '../../../domain/attempts/startAttempt';
import { submitAttempt, type HandedIn } from '../../../domain/attempts/submitAttempt';
import { platformEndpoint } from '../../http/endpoint';
import { idParams, type IdParams } from '../../http/fields';
import { presentOpenedSpec } from '../apps/openedSpec';
import { presentAttempt, presentSubmitted } from './attempts.presenter';
import { begunAttemptSchema, handedInSchema, submittedSchema } from './attempts.schemas';
import { eventBatchSchema, recordedSchema } from './events.schemas';

const tag = 'Apps';

const attemptParams = idParams('The attempt.', 'att_01jd4k6f2mep2s5xg5yhc8m1zr');

export const attempts = [
  platformEndpoint<IdParams>({
    method: 'POST',
    path: '/app/exams/:id/attempts',
    operationId: 'startAttempt',
    tag,
    roles: ['student'],
    institution: 'caller',
    summary: 'Start an attempt at an exam, or resume the one in progress.',
    description:
      'One attempt is in progress at a time. Conflict when the exam is closed or takes nothing late, when the time of the attempt is over, ' +
      'and after a submission, unless it was voided or is to be made again.',
    request: { params: idParams('The exam.', 'exm_01jd4k6f2mep2s5xg5yhc8m1zr') },
    response: begunAttemptSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'none',
    handle: async ({ params, who, caller, domain, reads }) => {
      const { attempt, resumed, codeSpec } = await startAttempt(domain, caller, params.id, who.actorId);
      const opened = codeSpec === null ? null : await presentOpenedSpec(reads, domain.files, codeSpec, caller.now);
      return { ...presentAttempt(attempt), resumed, code_spec: opened };
    },
  }),
  platformEndpoint<IdParams, Record<string, never>, { events: SentEvent[] }>({
    method: 'POST',
    path: '/app/attempts/:id/events',
    operationId: 'recordAttemptEvents',
    tag,
    roles: ['student'],
    institution: 'caller',
    summary: 'Store a batch of proctoring events, each once.',
    description:
      'What a call that went wrong has sent may be sent again. Taken until 24 hours after the end of the attempt, and 20,000 an attempt: ' +
      'conflict beyond. The service itself writes attempt_started, attempt_resumed, attempt_abandoned, hidden_tests_released and submitted.',
    request: { params: attemptParams, body: eventBatchSchema },
    response: recordedSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: ({ params, body, who, tx }) => recordEvents(tx, params.id, who.actorId, body.events),
  }),
  platformEndpoint<IdParams, Record<string, never>, HandedIn>({
    method: 'POST',
    path: '/app/attempts/:id/submit',
    operationId: 'submitAttempt',
    tag,
    roles: ['student'],
    institution: 'caller',
    summary: 'Submit an attempt, once: the next version of the submission.',
    description: 'Late after the due date. Conflict when the attempt is over, the exam closed, or the due date past where nothing may be late.',
    request: { params: attemptParams, body: handedInSchema },
    response: submittedSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, who, tx }) => presentSubmitted(await submitAttempt(tx, params.id, who.actorId, body)),
  }),
];
