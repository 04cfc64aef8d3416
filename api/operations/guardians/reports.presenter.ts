import type { ReportRow } from '../../../db/repositories/reports/weekly';

/** A weekly report of a verified guardian's student (section Guardian link). */
export function presentReport({ sent_at, created_at, ...told }: ReportRow): object {
  return { ...told, sent_at: sent_at?.toISOString() ?? null, created_at: created_at.toISOString() };
}
