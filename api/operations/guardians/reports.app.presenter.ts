import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import type { FollowedReportRow } from '../../../db/repositories/guardians/portal';
import { timestamp } from '../../http/request/fields';
import { reportFields } from './reports.schemas';

/** A weekly Alpha report as a guardian sees it. */
export const followedReportSchema = Joi.object({
  id: Joi.string().required().example('rep_01jd4k6f2mep2s5xg5yhc8m1zr'),
  ...reportFields,
  created_at: timestamp().required().example('2026-11-23T12:10:00.000Z'),
}).meta({ title: 'FollowedReport' });
type FollowedReportResponse = SchemaType<typeof followedReportSchema>;

/** One weekly report for the portal. */
export function presentFollowedReport({ created_at, ...fields }: FollowedReportRow): FollowedReportResponse {
  return { ...fields, created_at: created_at.toISOString() };
}
