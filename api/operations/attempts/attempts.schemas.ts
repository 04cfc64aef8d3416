import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { attemptStatuses } from '../../../db/repositories/exams/studentExams';
import { toolchains } from '../../../db/entities/institution';
import { isPlainDecimal } from '../../../lib/jsonBounds';
import { filename } from '../../http/request/fileNames';
import { sha256, dateTime, idParams, reference, text, timestamp, wholeNumber } from '../../http/request/fields';
import { studentCodeSpecSchema } from '../exams/exams.app.schemas';

export const attemptParams = idParams('The attempt.', 'att_01jd4k6f2mep2s5xg5yhc8m1zr');

/** The upload of a file of an attempt. */
export const attemptUpload = {
  description: 'The file, with a filename.',
  fields: {
    kind: {
      oneOf: ['attachment', 'recording'],
      description: 'What the student hands in (attachment), or a segment of a recording. Before the file or behind it.',
    },
  },
} as const;

const attemptId = Joi.string().required().example('att_01jd4k6f2mep2s5xg5yhc8m1zr');
const examId = Joi.string().required().example('exm_01jd4k6f2mep2s5xg5yhc8m1zr');
const studentId = Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr');

/** An attempt as its app gets it on start and resume. */
export const startedAttemptSchema = Joi.object({
  id: attemptId,
  exam_id: examId,
  student_id: studentId,
  started_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
  expires_at: timestamp().allow(null).required().description('The attempt is over from this very moment on; null where it has no end.').example('2026-11-20T11:00:00.000Z'),
  hidden_released_at: timestamp().allow(null).required().description('When the app fetched the hidden-test key.').example(null),
  status: Joi.string().valid(...attemptStatuses).required().example('in_progress'),
  resumed: Joi.boolean().required().description('Whether it had begun before.').example(false),
  code_spec: studentCodeSpecSchema.allow(null).required(),
}).meta({ title: 'BegunAttempt' });
export type StartedAttemptResponse = SchemaType<typeof startedAttemptSchema>;

const count = () => wholeNumber(0, 1_000_000).required();
const results = { passed: count().description('Tests that passed.').example(4), failed: count().description('Tests that failed.').example(1) };

const interactions = {
  total_interactions: count().description('Questions put to the assistant.').example(12),
  models_used: Joi.array().items(text(200)).max(50).required().description('The models that answered.').example(['local-7b']),
};

/** Like `away_seconds` of the feed: numbers that the database would write with hundreds of digits are rejected. */
const lostSeconds = Joi.number()
  .min(0)
  .max(86_400)
  .custom((value: number, helpers) => (isPlainDecimal(value) ? value : helpers.message({ custom: '{{#label}} must be 0, or at least 0.000001' })))
  .required()
  .description('0, or at least 0.000001.')
  .example(31.5);

/** Also what is missing where an app meant to report a coding exam's: whose exam it is, the schema does not know. */
const documentUsage = Joi.object(interactions).messages({ 'any.required': '{{#label}} is required (of a coding exam also kind, v, tests, timing, focus, toolchain and app)' });

const codingFields = {
  kind: Joi.string().valid('svccode').required().description('Of a coding exam: always `svccode`.').example('svccode'),
  v: Joi.number().valid(1).required().description('The version of this format: always 1.').example(1),
  tests: Joi.object({
    sample: Joi.object(results).allow(null).required().description('Null where there are none, or they were not run.'),
    hidden: Joi.object({ ...results, hidden_zip_sha256: sha256().required().description('Hexadecimal SHA-256 of the zip of hidden tests.'), workspace_sha256: sha256().required().description('Hexadecimal SHA-256 of the tested workspace.') }).allow(null).required().description('Null where there are none, or they were not run.'),
  }).required().description('Results of the tests.'),
  timing: Joi.object({
    started_at: dateTime().required().description('When the attempt began.').example('2026-11-20T09:30:00Z'),
    hidden_released_at: dateTime().allow(null).required().description('When the app fetched the hidden-test key; null if it did not.').example('2026-11-20T10:30:00Z'),
    submitted_at: dateTime().required().description('When the student handed in.').example('2026-11-20T10:40:00Z'),
  }).required().description("By the app's clock."),
  focus: Joi.object({ lost_count: count().description('How often the window lost the focus.').example(2), lost_seconds: lostSeconds }).required().description('How the student was away from the window.'),
  toolchain: Joi.string().valid(...toolchains).required().description('The toolchain of the exam.').example('python'),
  app: Joi.object({ name: text(100).required().description('Name of the app.').example('svccode'), version: text(100).required().description('Version of the app.').example('2.4.1'), platform: text(100).required().description('Operating system and architecture.').example('linux-x64') }).required().description('The app that the student used.'),
};

const codingUsage = Joi.object({ ...codingFields, ...interactions });

/** Matches usage with a field of the coding app, so that the error lists its missing fields instead of an unknown field. */
const hasCodingField = Joi.object()
  .or(...Object.keys(codingFields))
  .unknown();

const usage = Joi.alternatives()
  .conditional(hasCodingField, { then: codingUsage, otherwise: documentUsage })
  .allow(null)
  .description('Usage data of the app for the attempt: with `kind` svccode for a coding exam, without it for a document exam.')
  .example({ total_interactions: 3, models_used: ['local-7b'] });

const bounds = { text: 200_000, attachments: 20 };

/** What an app hands in. */
export const submissionInputSchema = Joi.object({
  text: text(bounds.text, 'multi-line', 0).allow('', null).description('What the student wrote.').example('See the comments in main.py.'),
  attachments: Joi.array()
    .items(
      Joi.object({
        file: Joi.object({ id: reference().required().description('Id of the file.').example('file_01jd4k6f2mep2s5xg5yhc8m1zr') }).required().description('A file of kind `attachment` that was uploaded to this attempt.'),
        name: filename().required().description('A filename without a path. Of a coding exam: `workspace.zip`, `transcript.json` or `test-results.json`.').example('workspace.zip'),
      }),
    )
    .max(bounds.attachments)
    .description('No two have the same name, or are the same file.')
    .example([]),
  ai_usage_data: usage,
}).required();

/** A submitted version in the response to the submission. */
export const submittedSchema = Joi.object({
  id: Joi.string().required().example('sub_01jd4k6f2mep2s5xg5yhc8m1zr'),
  exam_id: examId,
  student_id: studentId,
  attempt_id: attemptId,
  version: Joi.number().integer().required().example(1),
  status: Joi.string().valid('submitted').required().example('submitted'),
  is_late: Joi.boolean().required().description('Submitted after the due date.').example(true),
  submitted_at: timestamp().required().example('2026-11-20T10:40:00.000Z'),
}).meta({ title: 'SubmittedVersion' });
export type SubmittedVersionResponse = SchemaType<typeof submittedSchema>;
