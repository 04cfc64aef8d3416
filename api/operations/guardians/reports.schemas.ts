import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { paging, timestamp, timestampOrNull } from '../../http/request/fields';
import { sinceDateTime } from '../../http/request/filters';

const count = Joi.number().integer().required();
const day = Joi.string().pattern(/^\d{4}-\d{2}-\d{2}$/).meta({ format: 'date' }).required();

/** The fields of a weekly report about a student, for institutions and guardians. */
export const reportFields = {
  week_start: day.description('The Monday, as a calendar day of the time zone.').example('2026-11-16'),
  week_end: day.description('The Sunday.').example('2026-11-22'),
  time_zone: Joi.string().required().description("The institution's: the week begins and ends at its midnight.").example('Europe/Berlin'),
  minutes: count.description('Spent learning in the week.').example(175),
  days_met: count.description('Days on which the daily target of an enrollment was met.').example(5),
  points: count.description('Awarded less deducted in the week.').example(40),
  points_balance: count.description('At the end of the week.').example(110),
  concepts_mastered: count.description('In the week.').example(2),
  streak_days: count.description('Days in a row with the target met, up to the Sunday.').example(5),
  badges: Joi.array().items(Joi.string()).required().description('Granted in the week, oldest first.').example(['first_mastery']),
} as const;

/** A weekly report as it is sent to a guardian. */
export const reportSchema = Joi.object({
  id: Joi.string().required().description("Of the student's report: the same for each of their guardians.").example('rep_01jd4k6f2mep2s5xg5yhc8m1zr'),
  guardian_id: Joi.string().required().description('The guardian link.').example('gdn_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_id: Joi.string().required().description('Internal id.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  student_email: Joi.string().required().description('The generated login email.').example('student1.9f86d081@north.example'),
  ...reportFields,
  sent_at: timestampOrNull('When the report was emailed to this guardian. Null if no email was sent, and from 90 days after the last email of the week on.').example('2026-11-23T12:10:00.400Z'),
  created_at: timestamp().required().description('The later of when the report was written and when the guardian was verified.').example('2026-11-23T12:10:00.000Z'),
}).meta({ title: 'WeeklyReport' });
export type WeeklyReportResponse = SchemaType<typeof reportSchema>;

export const reportQuery = Joi.object({
  since: sinceDateTime('Exclusive, of `created_at`: give the newest that you have.').example('2026-11-16T00:00:00Z'),
  ...paging,
});
