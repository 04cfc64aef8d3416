import type { EmailCounts } from '../../db/repositories/emails/emailRows';
import { reportEmails } from '../../db/repositories/reports/weeklyEmails';
import type { KeyedSemaphore } from '../../lib/keyedSemaphore';
import { onClock } from '../../domain/clock';
import type { Domain } from '../../domain/context';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { claimReportEmails } from '../../domain/reports/claimReportEmails';
import { institutionsToReport, writeWeeklyReports, type ReportPosition, type ReportStep } from '../../domain/reports/writeWeeklyReports';
import { transact } from '../../domain/transact';
import type { Mailer } from '../../outbound/mail/mailer';
import { createEmailBatchSender, type EmailSource, type EmailBatchState } from '../emails/emailBatchSender';
import { createEmailSender } from '../emails/emailSender';
import { activityNow, activityTime } from '../activityNow';

type ReportWeek = WorkflowArguments['weeklyReportLetters'];

/** The activities of the weekly reports. All are idempotent. */
export interface ReportActivities {
  /** Returns at most `limit` institutions with a verified guardian, by id after `afterId` ('' for the first). */
  institutionsToReport(afterId: string, limit: number): Promise<string[]>;
  /** Writes one chunk of an institution's reports of the last week that was over at `asOfMs`, a real time. */
  writeWeek(institutionId: string, asOfMs: number, after: ReportPosition | null): Promise<ReportStep>;
  /** Emails the next few hundred guardians, ten at a time; fails if the mail server is unreachable, without counting any recipient. */
  tellGuardians(week: ReportWeek, nowMs: number): Promise<EmailBatchState<'institution_inactive'>>;
  /** Ends the emails of a week; the remaining recipients are skipped for the given reason. */
  endReportLetters(week: ReportWeek, nowMs: number, reason: string): Promise<EmailCounts>;
}

/** Returns the activities of reports; `mailerSemaphore` limits the process to ten emails at a time. */
export function createReportActivities(domain: Domain, mailer: Pick<Mailer, 'send'>, mailerSemaphore: KeyedSemaphore): ReportActivities {
  const { sql } = domain.database;
  const send = createEmailBatchSender(sql, createEmailSender(domain, mailer), mailerSemaphore);
  const keyOf = ({ institutionId, week }: ReportWeek) => [institutionId, week] as const;

  const emailSource = (week: ReportWeek): EmailSource<'institution_inactive'> => ({
    purpose: { institutionId: week.institutionId, kind: 'weekly_report' },
    next: (now) => claimReportEmails(domain, week, now),
    record: (now, outcomes) => reportEmails.record(sql, keyOf(week), now, outcomes),
    release: (now, recipientIds) => reportEmails.release(sql, keyOf(week), now, recipientIds),
    progress: (now) => reportEmails.progress(sql, keyOf(week), now),
  });

  return {
    institutionsToReport: (afterId, limit) => institutionsToReport(domain, afterId, limit),
    writeWeek: async (institutionId, asOfMs, after) => {
      const { now, clockOffsetMs } = await activityTime(sql, institutionId, asOfMs);
      return transact(domain, { institutionId, now }, (tx) => writeWeeklyReports(tx, onClock({ clockOffsetMs }, new Date(asOfMs)), after));
    },
    tellGuardians: (week, nowMs) => send(emailSource(week), nowMs),
    endReportLetters: async (week, nowMs, reason) => {
      const now = await activityNow(sql, week.institutionId, nowMs);
      await reportEmails.end(sql, keyOf(week), now, reason);
      return (await reportEmails.progress(sql, keyOf(week), now)).counts;
    },
  };
}
