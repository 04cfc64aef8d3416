import { countResets } from '../../db/repositories/sandbox/erasure';
import { findInstitution, lockInstitution } from '../../db/repositories/institutions/institutions';
import { gatherReportEmails, institutionsWithGuardians, openReportRun } from '../../db/repositories/reports/weeklyEmails';
import { listStudentsToReport, writeReports } from '../../db/repositories/reports/weekly';
import type { Domain, Transaction } from '../context';
import { newId } from '../ids';
import { reportEmailsWorkflowId } from '../outbox/workflows';
import { lastWholeWeek } from './week';

/** Number of students that one transaction counts. */
export const reportChunk = 200;

/** The position after which the next chunk begins: this student. */
export interface ReportPosition {
  studentId: string;
}

/** The result of one chunk. */
export interface ReportStep {
  /** `inactive`: the institution is not approved, and gets no reports of this week unless the pass is repeated. */
  state: 'more' | 'done' | 'inactive';
  reports: number;
  /** Number of guardians who will get an email; known after the last chunk. */
  letters: number;
  next: ReportPosition | null;
}

/**
 * Writes one chunk of the reports of the last week that was over at `asOf` in the institution's time zone, starting after
 * `after`. The last chunk stores the recipients and starts the emails. A week is written once: existing reports stay
 * unchanged (section Guardian link, weekly Alpha reports).
 */
export async function writeWeeklyReports(tx: Transaction, asOf: Date, after: ReportPosition | null): Promise<ReportStep> {
  await lockInstitution(tx);
  const institution = await findInstitution(tx);
  if (institution?.status !== 'approved') return { state: 'inactive', reports: 0, letters: 0, next: null };
  const week = lastWholeWeek(institution.time_zone, asOf);
  if ((await openReportRun(tx, week.monday, tx.now)) === 'gathered') return { state: 'done', reports: 0, letters: 0, next: null };

  const studentIds = await listStudentsToReport(tx, week, after?.studentId ?? '', reportChunk);
  const reports = await writeReports(tx, week, studentIds.map((studentId) => ({ id: newId('rep'), studentId })), tx.now);
  const last = studentIds.at(-1);
  if (last !== undefined && studentIds.length === reportChunk) return { state: 'more', reports, letters: 0, next: { studentId: last } };

  const letters = await gatherReportEmails(tx, week.monday, tx.now);
  const { institutionId } = tx;
  if (letters > 0) {
    tx.startWorkflow('weeklyReportLetters', reportEmailsWorkflowId(institutionId, week.monday, await countResets(tx)), { institutionId, week: week.monday });
  }
  return { state: 'done', reports, letters, next: null };
}

/** Returns the next institutions with a verified guardian, in the order of their ids, after `afterId` ('' for the first). */
export function institutionsToReport({ database }: Pick<Domain, 'database'>, afterId: string, limit: number): Promise<string[]> {
  return institutionsWithGuardians(database.sql, afterId, limit);
}
