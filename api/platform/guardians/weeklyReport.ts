import Joi from 'joi';
import type { FollowedReportRow } from '../../../db/repositories/guardianPortal';
import { timestamp } from '../../http/fields';

const count = Joi.number().integer().required();
const day = Joi.string().pattern(/^\d{4}-\d{2}-\d{2}$/).meta({ format: 'date' }).required();

/** A weekly Alpha report as a guardian sees it. */
export const followedReportSchema = Joi.object({
  id: Joi.string().required().example('rep_01jd4k6f2mep2s5xg5yhc8m1zr'),
  week_start: day.description('The Monday.').example('2026-11-16'),
  week_end: day.description('The Sunday.').example('2026-11-22'),
  time_zone: Joi.string().required().description('In which the days are counted.').example('Europe/Vienna'),
  minutes: count.description('Spent learning in that week.').example(175),
  days_met: count.description('Days on which the daily target was reached.').example(5),
  points: count.description('Of that week.').example(40),
  points_balance: count.description('At the end of the week.').example(320),
  concepts_mastered: count.description('In that week.').example(3),
  streak_days: count.example(12),
  badges: Joi.array().items(Joi.string()).required().description('Granted in that week.').example(['streak_7_days']),
  created_at: timestamp().required().example('2026-11-23T12:10:00.000Z'),
}).meta({ title: 'FollowedReport' });

/** One weekly report for the portal. */
export function presentFollowedReport({ created_at, ...told }: FollowedReportRow): object {
  return { ...told, created_at: created_at.toISOString() };
}
