import Joi from 'joi';
import { recordEvents } from '../../../domain/attempts/recordEvents';
import { attemptExpired, startOrResumeAttempt, type StartedAttempt } from '../../../domain/attempts/startAttempt';
import { requireAttemptFileCapacity, storeAttemptFile } from '../../../domain/attempts/storeAttemptFile';
import { submitAttempt } from '../../../domain/attempts/submitAttempt';
import { clockOf, toRealTime } from '../../../domain/clock';
import { signSpecFiles } from '../../../domain/exams/signSpecFiles';
import { requireAppStudent, requireStudentOfAttempt } from '../../../domain/sandbox/requireAppStudent';
import { requireSeenExam } from '../../../domain/sandbox/requireSeenExam';
import { operation } from '../../http/operation';
import { reference } from '../../http/request/fields';
import { eventBatchSchema, recordedEventsSchema } from '../attempts/attemptEvents.schemas';
import { presentStartedAttempt, presentSubmitted } from '../attempts/attempts.presenter';
import { attemptParams, attemptUpload, startedAttemptSchema, submissionInputSchema, submittedSchema } from '../attempts/attempts.schemas';
import { examParams } from '../exams/exams.schemas';
import { presentFile } from '../exams/files.presenter';
import { storedFileSchema } from '../exams/files.schemas';
import { commitOrReject } from './commitOrReject';

const tag = 'Sandbox';

function requireStarted(started: StartedAttempt | 'expired'): StartedAttempt {
  if (started === 'expired') throw attemptExpired();
  return started;
}

export const sandboxAttempts = [
  operation({
    method: 'POST',
    path: '/sandbox/exams/:id/attempts',
    operationId: 'startSandboxAttempt',
    tag,
    access: { key: 'exams:write', environment: 'test' },
    summary: "Start a student's attempt at an exam, or resume the one in progress, as the app does.",
    description:
      'The student has signed in before, and sees the exam: it is published, and assigned to a group of theirs. Emits exam.attempt_started. Conflict when the exam takes nothing more, when the time of the attempt ' +
      'is over, and after a submission; unless it was voided, or asked for again.',
    request: {
      params: examParams,
      body: Joi.object({ student_id: reference().required().description('Internal id or generated login email.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr') }).required(),
    },
    response: startedAttemptSchema,
    errors: ['not_found', 'conflict', 'user_inactive'],
    transaction: 'own',
    audit: { created: 'id' },
    handle: ({ params, body, domain, caller, commit }) =>
      commitOrReject(
        { domain, caller, commit },
        {
          run: async (tx) => {
            const { id } = await requireAppStudent(tx, body.student_id);
            await requireSeenExam(tx, params.id, id);
            return startOrResumeAttempt(tx, params.id, id);
          },
          accept: requireStarted,
          present: async (tx, started) => {
            const reader = { studentId: started.attempt.student_id, now: toRealTime(caller, caller.now) };
            return presentStartedAttempt(started, await signSpecFiles(tx, domain.files, started.codeSpec, reader));
          },
        },
      ),
  }),
  operation({
    method: 'POST',
    path: '/sandbox/attempts/:id/events',
    operationId: 'recordSandboxAttemptEvents',
    tag,
    access: { key: 'submissions:write', environment: 'test' },
    summary: 'Store a batch of proctoring events of an attempt, each once, as the app does.',
    description: 'Taken until 24 hours after the end of the attempt, and 20,000 an attempt: conflict beyond.',
    request: { params: attemptParams, body: eventBatchSchema },
    response: recordedEventsSchema,
    errors: ['not_found', 'conflict', 'user_inactive'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => recordEvents(tx, params.id, await requireStudentOfAttempt(tx, params.id), body.events),
  }),
  operation({
    method: 'POST',
    path: '/sandbox/attempts/:id/files',
    operationId: 'uploadSandboxAttemptFile',
    tag,
    access: { key: 'submissions:write', environment: 'test' },
    summary: 'Upload a file of an attempt, as the app does: an attachment, or a segment of a recording.',
    description:
      'multipart/form-data with the parts `kind` and `file`. An attachment is part of the submission once `attachments` names it. Attachments are taken while ' +
      'the attempt is in progress, recordings until 24 hours after its end, and 1,000 files in all: conflict beyond.',
    request: { params: attemptParams, upload: attemptUpload },
    response: storedFileSchema,
    errors: ['not_found', 'conflict', 'user_inactive', 'file_too_large'],
    transaction: 'own',
    audit: { created: 'ref' },
    handle: async ({ params, upload, reads, domain, caller, commit }) => {
      const own = { attemptId: params.id, studentId: await requireStudentOfAttempt(reads, params.id) };
      await requireAttemptFileCapacity(reads, own, caller.now);
      const { fields, ...file } = await upload.receive();
      const { now } = clockOf(caller.clockOffsetMs);
      return storeAttemptFile(domain, { ...caller, now }, { ...own, ...fields }, file, (work) => commit(async (tx) => presentFile(await work(tx)), now));
    },
  }),
  operation({
    method: 'POST',
    path: '/sandbox/attempts/:id/submit',
    operationId: 'submitSandboxAttempt',
    tag,
    access: { key: 'submissions:write', environment: 'test' },
    summary: 'Submit an attempt, once, as the app does: the next version of the submission.',
    description:
      'Emits exam.submitted. Late after the due date. Conflict when the attempt is over, the exam closed, or the due date past where nothing may be late. An attempt that ended before it was handed in is used up: ' +
      'another one begins only where an earlier submission of the exam is asked for again or voided.',
    request: { params: attemptParams, body: submissionInputSchema },
    response: submittedSchema,
    errors: ['not_found', 'conflict', 'user_inactive'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ params, body, tx }) => presentSubmitted(await submitAttempt(tx, params.id, await requireStudentOfAttempt(tx, params.id), body)),
  }),
];
