import type { ReportRow } from '../../../db/repositories/reports/weekly';
import { isoOrNull } from '../../http/request/fields';
import type { WeeklyReportResponse } from './reports.schemas';

/** A weekly report of a verified guardian's student (section Guardian link). */
export function presentReport({ sent_at, created_at, ...fields }: ReportRow): WeeklyReportResponse {
  return { ...fields, sent_at: isoOrNull(sent_at), created_at: created_at.toISOString() };
}
