import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { userStatuses } from '../../../db/entities/user';
import { badges } from '../../../db/repositories/alpha/badges';
import { conceptStatuses, masteryThreshold } from '../../../domain/alpha/mastery';
import { drillDownLimits } from '../../../domain/alpha/readAlphaStudent';
import { count, listOf, timestamp, timestampOrNull } from '../../http/request/fields';
import { enrollmentFields } from './enrollments.schemas';
import { statsSchema } from './points.schemas';

const studentId = 'stu_01jd4k6f2mep2s5xg5yhc8m1zr';
const countOf = (description: string, example = 3) => count.description(description).example(example);
const day = () => Joi.string().pattern(/^\d{4}-\d{2}-\d{2}$/).required().meta({ format: 'date' }).example('2026-11-20');

const badge = Joi.object({
  badge: Joi.string().valid(...badges).required().example('first_mastery'),
  granted_at: timestamp().required().example('2026-11-21T08:10:00.000Z'),
}).meta({ title: 'Badge' });
export type BadgeResponse = SchemaType<typeof badge>;

const enrollment = Joi.object({
  ...enrollmentFields,
  curriculum_title: Joi.string().required().example('Fractions'),
  progress: Joi.object({
    concepts: countOf('Concepts of the curriculum.', 3),
    mastered: countOf('Those that the student has mastered.', 2),
    minutes_today: countOf('Minutes of today.', 35),
    target_minutes: countOf('Minutes a day that count towards the streak.', 30),
  }).required(),
}).meta({ title: 'EnrollmentProgress' });
export type EnrollmentProgressResponse = SchemaType<typeof enrollment>;

export const drillDownSchema = Joi.object({
  student: Joi.object({
    id: Joi.string().required().example(studentId),
    login_email: Joi.string().required().example('student1.9f86d081@north.example'),
    full_name: Joi.string().allow(null).required().example('Ada Lovelace'),
    status: Joi.string().valid(...userStatuses).required().example('active'),
  }).required(),
  points: statsSchema.required(),
  streak: Joi.object({
    current: countOf('Consecutive days, up to today or yesterday, on which a daily target was met.', 5),
    longest: countOf('The longest streak so far.', 12),
    met_today: Joi.boolean().required().example(true),
  }).required(),
  badges: Joi.array().items(badge).required().description('Oldest first.'),
  enrollments: Joi.array().items(enrollment).required().description(`The newest ${drillDownLimits.enrollments}.`),
  days: Joi.array()
    .items(Joi.object({ day: day(), minutes: countOf('In all enrollments.', 35), met: Joi.boolean().required().description('Whether a daily target was met.').example(true) }))
    .required()
    .description(`The last ${drillDownLimits.days} days in the institution's time zone, today first.`),
}).meta({ title: 'AlphaStudent' });
export type AlphaStudentResponse = SchemaType<typeof drillDownSchema>;

const conceptState = Joi.object({
  curriculum_id: Joi.string().required().example('cur_01jd4k6f2mep2s5xg5yhc8m1zr'),
  curriculum_title: Joi.string().required().example('Fractions'),
  concept_id: Joi.string().required().example('fractions.adding'),
  title: Joi.string().required().example('Adding fractions'),
  requires: Joi.array().items(Joi.string()).required().example(['fractions.reading']),
  score: Joi.number().min(0).max(100).allow(null).required().description('The best so far, of 100; null where it is not started.').example(92.5),
  status: Joi.string().valid(...conceptStatuses).required().description(`Mastered from a score of ${masteryThreshold} on; a mastered concept stays mastered.`).example('mastered'),
  mastered_at: timestampOrNull('When it was mastered.'),
  updated_at: timestampOrNull('The last progress in it.'),
}).meta({ title: 'ConceptMastery' });
export type ConceptMasteryResponse = SchemaType<typeof conceptState>;

export const masterySchema = listOf(conceptState);

const leader = Joi.object({
  rank: Joi.number().integer().min(1).required().description('The same points share a rank: 1, 2, 2, 4.').example(1),
  student_id: Joi.string().required().example(studentId),
  email: Joi.string().required().description('The login email.').example('student1.9f86d081@north.example'),
  full_name: Joi.string().allow(null).required().example('Ada Lovelace'),
  points: Joi.number().integer().min(1).required().example(110),
  streak_days: countOf('As of now.', 5),
}).meta({ title: 'Leader' });
export type LeaderResponse = SchemaType<typeof leader>;

export const leaderboardSchema = Joi.object({ items: Joi.array().items(leader).required() });
