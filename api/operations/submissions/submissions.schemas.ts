import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { submissionStatuses, attemptStatuses } from '../../../db/repositories/exams/studentExams';
import { exampleTimes } from '../../../domain/exampleSchool';
import { examBounds } from '../../../domain/exams/limits';
import { resubmissionScore } from '../../../domain/submissions/gradeSubmission';
import { count, pageFields, paging, reference, text, timestamp, upToTwoDecimals } from '../../http/request/fields';
import { idFilter, personFilter, sinceDateTime } from '../../http/request/filters';

/** Longest texts, in characters. */
const bounds = { feedback: 10_000, reason: 2_000 } as const;


/** What a submission can be. */
export const submissionStatus = Joi.string().valid(...submissionStatuses);

const proctoring = Joi.object({
  focus_losses: count.description('How often the window lost the focus.').example(2),
  seconds_away: Joi.number().required().description('Total seconds without the focus.').example(14.5),
  recorder_errors: count.example(0),
  segments: count.description('Recorded segments that were uploaded.').example(12),
});

/** The grade of a submission. */
export const scoreDetail = Joi.object({
  score: Joi.number().required().description('As given.').example(80),
  max_score: Joi.number().required().description("The exam's as of grading.").example(100),
  percentage: Joi.number().required().description('The final value: score / max_score × 100 × (1 − penalty / 100), rounded half up to two decimals.').example(72),
  late_penalty_percentage: Joi.number().required().description('The late penalty that was applied; 0 unless late.').example(10),
});
export type ScoreResponse = SchemaType<typeof scoreDetail>;

/** A file with a URL that is valid for one hour. */
export const signedFile = Joi.object({
  id: Joi.string().required().example('file_01jd4k6f2mep2s5xg5yhc8m1zr'),
  name: Joi.string().required().example('workspace.zip'),
  size: Joi.number().integer().required().description('In bytes.').example(20_480),
  sha256: Joi.string().required().description('Hexadecimal SHA-256 of the bytes.').example('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
  content_type: Joi.string().required().example('application/zip'),
  url: Joi.string().required().description('Fetched without a key.').example('https://api.example.org/v1/files/file_01jd4k6f2mep2s5xg5yhc8m1zr?expires=1795172400&signature=9f86'),
  url_expires_at: timestamp().required().description('An hour from now at most.').example('2026-11-20T10:30:00.000Z'),
}).meta({ title: 'SignedFile' });
export type SignedFileResponse = SchemaType<typeof signedFile>;

const summaryFields = {
  id: Joi.string().required().example('sub_01jd4k6f2mep2s5xg5yhc8m1zr'),
  exam_id: Joi.string().required().example('exm_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_id: Joi.string().required().description('Internal id.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_email: Joi.string().required().description('The generated login email.').example('student1.9f86d081@north.example'),
  attempt_id: Joi.string().required().example('att_01jd4k6f2mep2s5xg5yhc8m1zr'),
  version: Joi.number().integer().required().description("Counts up with each of the student's submissions in this exam.").example(1),
  is_latest: Joi.boolean().required().description('Whether there is no later version. Only the latest is graded and voided, and counts.').example(true),
  status: submissionStatus.required().example('graded'),
  is_late: Joi.boolean().required().description('Submitted after the due date.').example(true),
  feedback: Joi.string().allow(null).required().example('Show how you got there.'),
  score_detail: scoreDetail.allow(null).required().description('Null until it is graded. A graded submission that is voided keeps it.'),
  proctoring: proctoring.required().description('Totals of the attempt.'),
  graded_by: Joi.string().allow(null).required().description('Who graded it, or asked for a resubmission.').example('fac_01jd4k6f2mep2s5xg5yhc8m1zr'),
  graded_at: timestamp().allow(null).required().description('When that was last done.').example('2026-11-21T08:00:00.000Z'),
  void_reason: Joi.string().allow(null).required().example(null),
  voided_at: timestamp().allow(null).required().example(null),
  submitted_at: timestamp().required().example('2026-11-20T10:40:00.000Z'),
  updated_at: timestamp().required().description('When it last changed.').example('2026-11-21T08:00:00.000Z'),
};

/** A submission in a list. */
export const submissionSummarySchema = Joi.object(summaryFields).meta({ title: 'SubmissionSummary' });
export type SubmissionSummaryResponse = SchemaType<typeof submissionSummarySchema>;

/** A submission in full. */
export const submissionSchema = Joi.object({
  ...summaryFields,
  text: Joi.string().allow(null, '').required().example('See the comments in main.py.'),
  attachments: Joi.array().items(signedFile).required().description('Of a coding exam: workspace.zip, transcript.json and test-results.json.'),
  feedback_attachments: Joi.array().items(signedFile).required().description('Files that came with the feedback.').example([]),
  ai_usage_data: Joi.object().unknown(true).allow(null).required().description('As the app reported it.').example({ total_interactions: 3, models_used: ['local-7b'] }),
  versions: Joi.array()
    .items(Joi.object({
      id: Joi.string().required().example('sub_01jd4k6f2mep2s5xg5yhc8m1zr'),
      version: Joi.number().integer().required().example(1),
      status: submissionStatus.required().example('graded'),
      submitted_at: timestamp().required().example('2026-11-20T10:40:00.000Z'),
    }))
    .required()
    .description('Every version of this student in this exam, newest first; each is read by its id.'),
  recordings: Joi.array().items(signedFile).description('The recorded segments, in order. With the scope submissions:write alone: for other keys the field is absent.'),
}).meta({ title: 'Submission' });
export type SubmissionResponse = SchemaType<typeof submissionSchema>;

const submissionId = reference().description('The submission.').example('sub_01jd4k6f2mep2s5xg5yhc8m1zr');

/** `{id}` of a submission's path. */
export const submissionParams = Joi.object({ id: submissionId.required() });

export const submissionQuery = Joi.object({
  exam_id: idFilter('exm').description('Only submissions of this exam.').example('exm_01jd4k6f2mep2s5xg5yhc8m1zr'),
  status: submissionStatus.description('Only submissions with this status.'),
  student_id: personFilter('student').description('Internal id or login email; a text in neither form is a `validation_error`.').example('student1.9f86d081@north.example'),
  since: sinceDateTime('Exclusive, of `updated_at`. Ask from a minute before the newest that you have seen: changes bear the moment at which their call began.').example('2026-11-20T00:00:00Z'),
  ...paging,
});

const multiLine = (max: number) => text(max, 'multi-line').allow(null);

export const gradingSchema = Joi.object({
  score: upToTwoDecimals()
    .max(examBounds.maxScore.max)
    .custom((value: number, helpers) =>
      value < 0 && value !== resubmissionScore ? helpers.message({ custom: '{{#label}} must be at least 0, or -1 to ask for a resubmission' }) : value,
    )
    .meta({ jsonSchema: { anyOf: [{ type: 'number', const: resubmissionScore }, { type: 'number', minimum: 0 }] } })
    .required()
    .description("From 0 to the exam's max_score, with up to two decimals; -1 asks for a resubmission.")
    .example(80),
  feedback: multiLine(bounds.feedback).description('Replaces earlier feedback; if absent, there is no feedback.').example('Show how you got there.'),
  graded_by: reference().allow(null).description("An active faculty member, by id or login email; the exam's owner by default.").example('fac_01jd4k6f2mep2s5xg5yhc8m1zr'),
}).required();

export const voidingSchema = Joi.object({
  reason: multiLine(bounds.reason).description('Why; returned as `void_reason`.').example('Handed in for another student.'),
});

/** An attempt and its events. */
export const submissionEventsSchema = Joi.object({
  attempt: Joi.object({
    id: Joi.string().required().example('att_01jd4k6f2mep2s5xg5yhc8m1zr'),
    student_id: Joi.string().required().example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
    status: Joi.string().valid(...attemptStatuses).required().example('submitted'),
    started_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
    expires_at: timestamp().allow(null).required().example('2026-11-20T11:00:00.000Z'),
    hidden_released_at: timestamp().allow(null).required().description('When the app fetched the hidden-test key.').example(exampleTimes.hiddenTestsReleased),
    ended_at: timestamp().allow(null).required().example('2026-11-20T10:40:00.000Z'),
  }).required(),
  counts: Joi.object()
    .pattern(Joi.string(), Joi.number().integer())
    .required()
    .description('Total number of events of each type, across all pages.')
    .example({ attempt_started: 1, focus_gained: 2, focus_lost: 2, submitted: 1 }),
  events: Joi.array()
    .items(Joi.object({
      type: Joi.string().required().example('focus_gained'),
      at: timestamp().required().description("By the clock of the reporter: the student's machine, or the service.").example('2026-11-20T09:41:00.000Z'),
      detail: Joi.object().unknown(true).description('Absent where there is none.').example({ away_seconds: 7.5 }),
    }))
    .required()
    .description('In the order of `at`.'),
  ...pageFields('Events'),
}).meta({ title: 'SubmissionEvents' });
export type SubmissionEventsResponse = SchemaType<typeof submissionEventsSchema>;
