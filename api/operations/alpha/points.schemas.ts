import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { maxPoints } from '../../../domain/alpha/awardPoints';
import { listOf, text, timestamp, timestampOrNull, wholeNumber } from '../../http/request/fields';

const studentId = Joi.string().required().description('Internal id.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr');

const entryFields = {
  id: Joi.string().required().example('pts_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_id: studentId,
  points: Joi.number().integer().required().description('Negative where points were taken.').example(10),
  balance: Joi.number().integer().required().description('After it.').example(110),
  note: Joi.string().allow(null).required().example('Helped others'),
  ref: Joi.string().required().example('award-2026-11-20-ada'),
  created_at: timestamp().required().example('2026-11-21T08:10:00.000Z'),
};

const entrySchema = Joi.object(entryFields).meta({ title: 'PointsEntry' });
export type PointsEntryResponse = SchemaType<typeof entrySchema>;

export const awardedSchema = Joi.object({
  ...entryFields,
  applied: Joi.boolean().required().description('False for a repeat of a `ref`, which returns the result of the first request.').example(true),
}).meta({ title: 'PointsAwarded' });

export const awardSchema = Joi.object({
  points: wholeNumber(-maxPoints, maxPoints).invalid(0).messages({ 'any.invalid': '{{#label}} must not be 0' }).required().description('Negative takes points; not 0.').example(10),
  note: text(1_000, 'multi-line').allow(null).description('What the points are for.').example('Helped others'),
  ref: text(200).required().description('Unique in the institution: a repeat of the same award under it is answered as the first time and awards nothing.').example('award-2026-11-20-ada'),
}).required();

const count = (description: string) => Joi.number().integer().required().description(description).example(110);

export const statsSchema = Joi.object({
  balance: count('What the student has now.'),
  earned: count('All that was given.').example(120),
  deducted: count('All that was taken.').example(10),
  awards: count('Entries of the ledger, of both kinds.').example(12),
  last_awarded_at: timestampOrNull('The newest entry; null without one.').example('2026-11-21T08:10:00.000Z'),
}).meta({ title: 'PointsStats' });
export type PointsStatsResponse = SchemaType<typeof statsSchema>;

export const pointsSchema = Joi.object({
  student_id: studentId,
  stats: statsSchema.required(),
  ledger: listOf(entrySchema).required().description('Newest first.'),
}).meta({ title: 'StudentPoints' });
export type StudentPointsResponse = SchemaType<typeof pointsSchema>;
