import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { submissionStatuses, attemptStatuses } from '../../../db/repositories/exams/studentExams';
import { exampleTimes } from '../../../domain/exampleSchool';
import { count, timestamp } from '../../http/request/fields';

const percentage = Joi.number().allow(null).required();

/** An attempt at an exam. */
export const examAttemptSchema = Joi.object({
  id: Joi.string().required().example('att_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_id: Joi.string().required().description('Internal id.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_email: Joi.string().required().description('The generated login email.').example('student1.9f86d081@north.example'),
  status: Joi.string().valid(...attemptStatuses).required().example('submitted'),
  started_at: timestamp().required().example('2026-11-20T09:30:00.000Z'),
  expires_at: timestamp().allow(null).required().example('2026-11-20T11:00:00.000Z'),
  hidden_released_at: timestamp().allow(null).required().description('When the app fetched the hidden-test key.').example(exampleTimes.hiddenTestsReleased),
  ended_at: timestamp().allow(null).required().example('2026-11-20T10:40:00.000Z'),
  submission_id: Joi.string().allow(null).required().description('What it was submitted as.').example('sub_01jd4k6f2mep2s5xg5yhc8m1zr'),
}).meta({ title: 'ExamAttempt' });
export type ExamAttemptResponse = SchemaType<typeof examAttemptSchema>;

/** The result of one assigned student. */
export const examScoreSchema = Joi.object({
  id: Joi.string().required().description('Internal id of the student.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_id: Joi.string().allow(null).required().description("The institution's own identifier.").example('SIS-1042'),
  email: Joi.string().required().description('The generated login email.').example('student1.9f86d081@north.example'),
  status: Joi.string().valid('not_submitted', ...submissionStatuses).required().example('graded'),
  score: Joi.number().allow(null).required().description('Null unless graded.').example(80),
  max_score: Joi.number().required().description("As of grading, else the exam's.").example(100),
  percentage: percentage.description('After any late penalty; null unless graded.').example(72),
  is_late: Joi.boolean().allow(null).required().description('Null without a submission.').example(true),
  submitted_at: timestamp().allow(null).required().example('2026-11-20T10:40:00.000Z'),
  graded_at: timestamp().allow(null).required().description('Null unless graded.').example('2026-11-21T08:00:00.000Z'),
}).meta({ title: 'ExamScore' });
export type ExamScoreResponse = SchemaType<typeof examScoreSchema>;

export const examAnalyticsSchema = Joi.object({
  counts: Joi.object({
    not_submitted: count.description('Assigned students without a submission.').example(8),
    submitted: count.example(5),
    graded: count.example(12),
    resubmission_required: count.example(2),
    voided: count.example(1),
  }).required().description('Students by the latest version of their submission.'),
  percentage: Joi.object({
    mean: percentage.example(71.25),
    median: percentage.example(74),
    min: percentage.example(38.5),
    max: percentage.example(98),
    standard_deviation: percentage.description('Of the population.').example(14.82),
  }).required().description('Of the graded ones, rounded to two decimals; nulls while none is.'),
  histogram: Joi.array()
    .items(Joi.object({
      from: Joi.number().integer().required().description('Inclusive.').example(70),
      to: Joi.number().integer().required().description('Exclusive; 100 is inclusive.').example(80),
      count: count.example(4),
    }))
    .required()
    .description('The percentages of the graded ones in ten bins, 0 to 10 first.')
    .example([0, 0, 0, 1, 0, 2, 2, 4, 2, 1].map((number, bin) => ({ from: bin * 10, to: (bin + 1) * 10, count: number }))),
  late_count: count.description('Latest versions handed in after the due date; voided ones do not count.').example(3),
  mean_duration_seconds: Joi.number().allow(null).required().description('From start to submission, over all submitted attempts; null while there is none.').example(3_840.5),
  focus: Joi.object({
    losses: count.example(41),
    seconds_away: Joi.number().required().example(512.5),
  }).required().description('Over all attempts.'),
}).meta({ title: 'ExamAnalytics' });
export type ExamAnalyticsResponse = SchemaType<typeof examAnalyticsSchema>;
