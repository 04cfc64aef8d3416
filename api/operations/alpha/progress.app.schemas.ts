import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { enrollmentStatuses } from '../../../db/repositories/alpha/enrollments';
import { badges } from '../../../db/repositories/alpha/badges';
import { maxMinutesPerDay } from '../../../domain/alpha/recordProgress';
import { count, reference, text, timestampOrNull, upToTwoDecimals, wholeNumber } from '../../http/request/fields';

const enrollmentId = 'enr_01jd4k6f2mep2s5xg5yhc8m1zr';
const conceptId = 'fractions.adding';

/** A progress report of an app: a student's work on one concept. */
export const progressReportSchema = Joi.object({
  enrollment_id: reference().required().description('One of the student\'s own.').example(enrollmentId),
  concept_id: reference().required().description('A concept of its curriculum.').example(conceptId),
  score: upToTwoDecimals().min(0).max(100).required().description('Of 100, with up to two decimals.').example(92.5),
  minutes: wholeNumber(0, maxMinutesPerDay).required().description('That the work took. They count for today, in the institution\'s time zone.').example(12),
  ref: text(200).required().description('Unique for the student: a repeat of the same progress under it changes nothing.').example('session-2026-11-20-7'),
}).required();

/** The student's progress after the report. */
export const progressSchema = Joi.object({
  applied: Joi.boolean().required().description('False for a repeated `ref`; the response is then the current progress of the student.').example(true),
  concept: Joi.object({
    id: Joi.string().required().example(conceptId),
    score: Joi.number().min(0).max(100).required().description('The best so far.').example(92.5),
    status: Joi.string().valid('learning', 'mastered').required().example('mastered'),
    mastered_at: timestampOrNull('When it was mastered.'),
  }).required(),
  enrollment: Joi.object({
    id: Joi.string().required().example(enrollmentId),
    status: Joi.string().valid(...enrollmentStatuses).required().example('active'),
    mastered: count.example(2),
    concepts: count.example(3),
  }).required(),
  streak_days: count.description('Consecutive days, up to today or yesterday, on which a daily target was met.').example(5),
  badges_granted: Joi.array().items(Joi.string().valid(...badges)).required().description('By this very call.').example([]),
}).meta({ title: 'Progress' });
export type ProgressResponse = SchemaType<typeof progressSchema>;
