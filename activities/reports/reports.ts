import type { LetterCounts } from '../../db/repositories/emails/emailRows';
import { reportLetters } from '../../db/repositories/reports/weeklyEmails';
import type { Turns } from '../../lib/keyedSemaphore';
import type { Domain } from '../../domain/context';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { nextReportLetters } from '../../domain/reports/claimReportEmails';
import { institutionsToReport, writeWeek, type ReportPosition, type ReportStep } from '../../domain/reports/writeWeeklyReports';
import { transact } from '../../domain/transact';
import type { Mailer } from '../../outbound/mail/mailer';
import { createLetterSender, type LetterSource, type LetterStanding } from '../emails/emailBatchSender';
import { timeOfWork } from '../activityNow';

type ReportLetters = WorkflowArguments['weeklyReportLetters'];

/** What the weekly reports call. Each may be repeated. */
export interface ReportActivities {
  /** At most `limit` institutions with a verified guardian, by id from after `afterId` ('' for the first). */
  institutionsToReport(afterId: string, limit: number): Promise<string[]>;
  /** Writes one chunk of an institution's reports of the last week that was over at `asOfMs`. */
  writeWeek(institutionId: string, asOfMs: number, after: ReportPosition | null): Promise<ReportStep>;
  /** Sends to the next few hundred guardians, ten at a time; fails when the mail server cannot be reached, and has counted nobody then. */
  tellGuardians(letters: ReportLetters, nowMs: number): Promise<LetterStanding<'institution_inactive'>>;
  /** Ends the letters of a week; who still waits is told no more, for the reason given. */
  endReportLetters(letters: ReportLetters, nowMs: number, reason: string): Promise<LetterCounts>;
}

/** The reports' activities over one domain and one mailer; `turns` lets one ten at a time have the mailer of the process. */
export function createReportActivities(domain: Domain, mailer: Pick<Mailer, 'send'>, turns: Turns): ReportActivities {
  const { sql } = domain.database;
  const send = createLetterSender(mailer, turns);
  const keyOf = ({ institutionId, week }: ReportLetters) => [institutionId, week] as const;

  const lettersOf = (letters: ReportLetters): LetterSource<'institution_inactive'> => ({
    next: (now) => nextReportLetters(domain, letters, now),
    record: (now, outcomes) => reportLetters.record(sql, keyOf(letters), now, outcomes),
    release: (now, recipientIds) => reportLetters.release(sql, keyOf(letters), now, recipientIds),
    standing: (now) => reportLetters.standing(sql, keyOf(letters), now),
  });

  return {
    institutionsToReport: (afterId, limit) => institutionsToReport(domain, afterId, limit),
    writeWeek: (institutionId, asOfMs, after) => {
      const asOf = new Date(asOfMs);
      return transact(domain, { institutionId, now: timeOfWork(asOfMs) }, (tx) => writeWeek(tx, asOf, after));
    },
    tellGuardians: (letters, nowMs) => send(lettersOf(letters), nowMs),
    endReportLetters: async (letters, nowMs, reason) => {
      const now = timeOfWork(nowMs);
      await reportLetters.end(sql, keyOf(letters), now, reason);
      return (await reportLetters.standing(sql, keyOf(letters), now)).counts;
    },
  };
}
