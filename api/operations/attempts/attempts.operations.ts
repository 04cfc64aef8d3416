import Joi from 'joi';
import { releaseToAttempt } from '../../../domain/codeSecrets/releaseSecret';
import { recordEvents } from '../../../domain/attempts/recordEvents';
import { startAttempt } from '../../../domain/attempts/startAttempt';
import { requireAttemptFileCapacity, storeAttemptFile } from '../../../domain/attempts/storeAttemptFile';
import { submitAttempt } from '../../../domain/attempts/submitAttempt';
import { clockOf, toRealTime } from '../../../domain/clock';
import { signSpecFiles } from '../../../domain/exams/signSpecFiles';
import { operation } from '../../http/operation';
import { idParams, timestamp } from '../../http/request/fields';
import { hiddenKey } from '../exams/codeSecrets.schemas';
import { presentFile } from '../exams/files.presenter';
import { storedFileSchema } from '../exams/files.schemas';
import { presentStartedAttempt, presentSubmitted } from './attempts.presenter';
import { attemptParams, attemptUpload, startedAttemptSchema, submissionInputSchema, submittedSchema } from './attempts.schemas';
import { eventBatchSchema, recordedEventsSchema } from './attemptEvents.schemas';

const tag = 'Apps';

export const attempts = [
  operation({
    method: 'POST',
    path: '/app/exams/:id/attempts',
    operationId: 'startAttempt',
    tag,
    access: { app: ['student'] },
    institution: 'caller',
    summary: 'Start an attempt at an exam, or resume the one in progress.',
    description:
      'One attempt is in progress at a time. Conflict when the exam is closed or takes nothing late, when the time of the attempt is over, ' +
      'and after a submission; unless the submission was voided, or asked for again, since the attempt began.',
    request: { params: idParams('The exam.', 'exm_01jd4k6f2mep2s5xg5yhc8m1zr') },
    response: startedAttemptSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'none',
    handle: async ({ params, principal, caller, domain, reads }) => {
      const started = await startAttempt(domain, caller, params.id, principal.actorId);
      const reader = { studentId: principal.actorId, now: toRealTime(caller, caller.now) };
      return presentStartedAttempt(started, await signSpecFiles(reads, domain.files, started.codeSpec, reader));
    },
  }),
  operation({
    method: 'POST',
    path: '/app/attempts/:id/events',
    operationId: 'recordAttemptEvents',
    tag,
    access: { app: ['student'] },
    institution: 'caller',
    summary: 'Store a batch of proctoring events, each once.',
    description:
      'What a call that went wrong has sent may be sent again. Taken until 24 hours after the end of the attempt, and 20,000 an attempt: ' +
      'conflict beyond. The service itself writes attempt_started, attempt_resumed, attempt_abandoned, hidden_tests_released and submitted.',
    request: { params: attemptParams, body: eventBatchSchema },
    response: recordedEventsSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: ({ params, body, principal, tx }) => recordEvents(tx, params.id, principal.actorId, body.events),
  }),
  operation({
    method: 'POST',
    path: '/app/attempts/:id/files',
    operationId: 'uploadAttemptFile',
    tag,
    access: { app: ['student'] },
    institution: 'caller',
    summary: 'Upload a file of an attempt: an attachment, or a segment of a recording.',
    description:
      'multipart/form-data with the parts `kind` and `file`. An attachment is part of the submission once `attachments` names it; a recording ' +
      'belongs to the attempt as it is. It is downloaded under its name there. Attachments are taken while the attempt is in progress and its exam takes submissions, recordings until 24 hours after its end, and ' +
      '1,000 files in all: conflict beyond.',
    request: { params: attemptParams, upload: attemptUpload },
    response: storedFileSchema,
    errors: ['not_found', 'conflict', 'file_too_large', 'rate_limiter_unavailable'],
    transaction: 'own',
    handle: async ({ params, upload, reads, domain, caller, principal, commit }) => {
      const own = { attemptId: params.id, studentId: principal.actorId };
      await requireAttemptFileCapacity(reads, own, caller.now);
      const { fields, ...file } = await upload.receive();
      const { now } = clockOf(caller.clockOffsetMs);
      return storeAttemptFile(domain, { ...caller, now }, { ...own, ...fields }, file, (work) => commit(async (tx) => presentFile(await work(tx)), now));
    },
  }),
  operation({
    method: 'POST',
    path: '/app/attempts/:id/submit',
    operationId: 'submitAttempt',
    tag,
    access: { app: ['student'] },
    institution: 'caller',
    summary: 'Submit an attempt, once: the next version of the submission.',
    description:
      'Late after the due date. Conflict when the attempt is over, the exam closed, or the due date past where nothing may be late. An attempt that ended before it was handed in is used up: ' +
      'another one begins only where an earlier submission of the exam is asked for again or voided.',
    request: { params: attemptParams, body: submissionInputSchema },
    response: submittedSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, principal, tx }) => presentSubmitted(await submitAttempt(tx, params.id, principal.actorId, body)),
  }),
  operation({
    method: 'POST',
    path: '/app/attempts/:id/hidden-tests/release',
    operationId: 'releaseHiddenTests',
    tag,
    access: { app: ['student'] },
    institution: 'caller',
    summary: 'Hand the key of the hidden tests to an attempt in progress, once.',
    description: 'Stamps hidden_released_at. Conflict the second time, when the attempt is over, and when the exam takes nothing more.',
    request: { params: attemptParams },
    response: Joi.object({ hidden_key_b64: hiddenKey, hidden_released_at: timestamp().required().example('2026-11-20T10:00:00.000Z') }),
    errors: ['not_found', 'no_secret', 'conflict'],
    transaction: 'write',
    handle: async ({ params, principal, tx }) => ({
      hidden_key_b64: await releaseToAttempt(tx, params.id, principal.actorId),
      hidden_released_at: tx.now.toISOString(),
    }),
  }),
];
