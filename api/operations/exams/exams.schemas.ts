import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { examStatuses, examTypes, examApps } from '../../../db/repositories/exams/columns';
import { submissionStatuses, attemptStatuses } from '../../../db/repositories/exams/studentExams';
import { exampleTimes } from '../../../domain/exampleSchool';
import { examBounds, examDefaults, maxGroups } from '../../../domain/exams/limits';
import { count, idParams, dateTime, paging, reference, text, timestamp, upToTwoDecimals, wholeNumber } from '../../http/request/fields';
import { sinceDateTime } from '../../http/request/filters';
import { codeSpecInput, codeSpecSchema } from './codeSpec.schemas';
import { aiPolicyFields, proctoringFields } from './policies.schemas';

/** `{id}` of an exam's path. */
export const examParams = idParams('The exam.', 'exm_01jd4k6f2mep2s5xg5yhc8m1zr');

const status = Joi.string().valid(...examStatuses);
const app = Joi.string().valid(...examApps).description('`svccode` where the exam has a `code_spec`, else `svc`.');
const examType = Joi.string().valid(...examTypes);

const summaryFields = {
  id: Joi.string().required().example('exm_01jd4k6f2mep2s5xg5yhc8m1zr'),
  faculty_id: Joi.string().required().description('The owner.').example('fac_01jd4k6f2mep2s5xg5yhc8m1zr'),
  title: Joi.string().required().example('Algebra, midterm'),
  exam_type: examType.required().example('exam'),
  status: status.required().example('published'),
  app: app.required().example('svccode'),
  max_score: Joi.number().required().example(100),
  due_date: timestamp().allow(null).required().example('2026-11-20T10:30:00.000Z'),
  time_limit_minutes: Joi.number().integer().allow(null).required().description('A countdown from when the student opens the exam.').example(90),
  allow_late_submission: Joi.boolean().required().example(true),
  late_penalty_percentage: Joi.number().required().description('Late penalty in percent: reduces the percentage of late submissions.').example(10),
  proctoring: Joi.object({ camera: proctoringFields.camera.required(), microphone: proctoringFields.microphone.required(), screen: proctoringFields.screen.required() }).required(),
  ai_policy: Joi.object({
    allowed: aiPolicyFields.allowed.required(),
    model_tier: aiPolicyFields.model_tier.required(),
    max_interactions: aiPolicyFields.max_interactions.required(),
  }).required(),
  published_at: timestamp().allow(null).required().example('2026-11-16T09:05:00.000Z'),
  closed_at: timestamp().allow(null).required().example(null),
  created_at: timestamp().required().example('2026-11-16T09:00:00.000Z'),
  updated_at: timestamp().required().description('When the exam or its assignments last changed.').example('2026-11-16T09:05:00.000Z'),
};

/** An exam in a list. */
export const examSummarySchema = Joi.object(summaryFields).meta({ title: 'ExamSummary' });
export type ExamSummaryResponse = SchemaType<typeof examSummarySchema>;

/** A group that an exam is assigned to. */
export const assignedGroupSchema = Joi.object({
  id: Joi.string().required().example('grp_01jd4k6f2mep2s5xg5yhc8m1zr'),
  name: Joi.string().required().example('Algebra 9b'),
  member_count: count.example(28),
  assigned_at: timestamp().required().example('2026-11-16T09:00:00.000Z'),
}).meta({ title: 'AssignedGroup' });
export type AssignedGroupResponse = SchemaType<typeof assignedGroupSchema>;

export const examSchema = Joi.object({
  ...summaryFields,
  code_spec: codeSpecSchema.allow(null).required(),
  groups: Joi.array().items(assignedGroupSchema).required().description('Every group that the exam is assigned to.'),
  stats: Joi.object({
    assigned: count.description('Students in the assigned groups.').example(28),
    started: count.description('Students who started an attempt.').example(25),
    submitted: count.description('Students whose latest version is submitted, graded or not.').example(17),
    graded: count.example(12),
    average_percentage: Joi.number().allow(null).required().description('Of those graded; null while none is.').example(71.25),
  }).required().description('Each student counts once, with the latest version of their submission.'),
  code_secret_set: Joi.boolean().required().description('Whether the hidden-test key is set.').example(true),
}).meta({ title: 'Exam' });
export type ExamResponse = SchemaType<typeof examSchema>;

/** The fields of an exam as seen by one student. */
export const studentExamFields = {
  ...summaryFields,
  attempt: Joi.object({
    id: Joi.string().required().example('att_01jd4k6f2mep2s5xg5yhc8m1zr'),
    status: Joi.string().valid(...attemptStatuses).required().example('submitted'),
    started_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
    expires_at: timestamp().allow(null).required().example('2026-11-20T11:00:00.000Z'),
    hidden_released_at: timestamp().allow(null).required().description('When the app fetched the hidden-test key.').example(exampleTimes.hiddenTestsReleased),
  }).allow(null).required().description('The latest attempt; null before the first.'),
  submission: Joi.object({
    id: Joi.string().required().example('sub_01jd4k6f2mep2s5xg5yhc8m1zr'),
    version: Joi.number().integer().required().example(1),
    status: Joi.string().valid(...submissionStatuses).required().example('graded'),
    is_late: Joi.boolean().required().example(true),
    score: Joi.number().allow(null).required().description('Null unless graded.').example(80),
    percentage: Joi.number().allow(null).required().description('After any late penalty; null unless graded.').example(72),
    submitted_at: timestamp().required().example('2026-11-20T10:40:00.000Z'),
    graded_at: timestamp().allow(null).required().description('Null unless graded.').example('2026-11-21T08:00:00.000Z'),
  }).allow(null).required().description('The latest version; null before the first.'),
};

export const studentExamSchema = Joi.object(studentExamFields).meta({ title: 'StudentExam' });
export type StudentExamResponse = SchemaType<typeof studentExamSchema>;

export const examQuery = Joi.object({
  app,
  status: status.description('Only exams with this status.'),
  updated_since: sinceDateTime('Inclusive. Ask from a minute before the newest `updated_at` that you have seen: changes bear the moment at which their call began.').example('2026-11-16T00:00:00Z'),
  ...paging,
});

/** Ids of groups; each must be one of the institution. */
export const groupIds = Joi.array().items(reference()).max(maxGroups).example(['grp_01jd4k6f2mep2s5xg5yhc8m1zr']);

const inputFields = {
  faculty_id: reference().description('The owner: id or login email of an active faculty member.').example('fac_01jd4k6f2mep2s5xg5yhc8m1zr'),
  title: text(300).description('Shown to students and guardians.').example('Algebra, midterm'),
  exam_type: examType.description('What kind of work it is, for those who read it; the rules are the same for all.').example('exam'),
  max_score: upToTwoDecimals().greater(0).max(examBounds.maxScore.max).description('Above 0; up to two decimals.').example(100),
  due_date: dateTime().allow(null).description('A submission after it is late; null: no submission is.').example('2026-11-20T10:30:00Z'),
  time_limit_minutes: wholeNumber(examBounds.timeLimitMinutes.min, examBounds.timeLimitMinutes.max)
    .allow(null)
    .description(
      'A countdown from when the student opens the exam; null: none. A change moves the end of attempts in progress, those of all students: more minutes are added at once, and fewer may end them at once.',
    )
    .example(90),
  allow_late_submission: Joi.boolean().description('Whether work is accepted after `due_date`.').example(true),
  late_penalty_percentage: upToTwoDecimals().min(0).max(examBounds.latePenalty.max).description('Taken off late submissions; up to two decimals.').example(10),
  proctoring: Joi.object({ ...proctoringFields }).description("What the student must grant before the exam opens. Parts left out take `default_proctoring` of the institution config (nothing, unless it says otherwise); in a PATCH they stay."),
  ai_policy: Joi.object({ ...aiPolicyFields }).description("What the assistant may do. Parts left out take `default_ai_policy` of the institution config (not allowed, unless it says otherwise); in a PATCH they stay."),
  code_spec: codeSpecInput.allow(null).description('Makes it a coding exam.'),
};

export const newExamSchema = Joi.object({
  ...inputFields,
  faculty_id: inputFields.faculty_id.required(),
  title: inputFields.title.required(),
  exam_type: inputFields.exam_type.default(examDefaults.exam_type),
  max_score: inputFields.max_score.default(examDefaults.max_score),
  allow_late_submission: inputFields.allow_late_submission.default(examDefaults.allow_late_submission),
  late_penalty_percentage: inputFields.late_penalty_percentage.default(examDefaults.late_penalty_percentage),
  publish: Joi.boolean().default(examDefaults.publish).description('False keeps a draft.').example(false),
  group_ids: groupIds.description('Assigns in the same call; of a published exam, students and verified guardians are emailed.'),
}).required();

export const examChanges = Joi.object({
  ...inputFields,
  group_ids: groupIds.description('Replaces the assignments.'),
});
