import { lastWholeWeek } from '../../domain/reports/week';
import { writeWeeklyReports, type ReportStep } from '../../domain/reports/writeWeeklyReports';
import { transact } from '../../domain/transact';
import { systemCaller, type TestApi, type TestInstitution } from './api';

/** A Monday on which the reports of the week of 9 November 2026 are made. */
export const reportTime = new Date('2026-11-16T12:10:00Z');
/** The week whose reports are made then, in every zone. */
export const reportWeek = lastWholeWeek('UTC', reportTime).monday;

/** Writes a chunk of the reports of {@link reportWeek}, as the activity does. */
export const writeReportWeek = ({ api }: TestApi, { id }: Pick<TestInstitution, 'id'>, after: Parameters<typeof writeWeeklyReports>[2] = null): Promise<ReportStep> =>
  transact(api.domain, systemCaller(id), (tx) => writeWeeklyReports(tx, reportTime, after));

/** An email's row. */
export interface ReportEmailRow {
  guardian_id: string;
  status: string;
  tries: number;
  sent_at: Date | null;
  error: string | null;
}

/** The emails of {@link reportWeek}, by their guardians. */
export const reportEmailsOf = ({ api }: TestApi, { id }: Pick<TestInstitution, 'id'>): Promise<ReportEmailRow[]> =>
  api.domain.database.sql<ReportEmailRow>(
    'SELECT guardian_id, status, tries, sent_at, error FROM weekly_report_letters WHERE institution_id = $1 AND week = $2 ORDER BY guardian_id',
    [id, reportWeek],
  );
