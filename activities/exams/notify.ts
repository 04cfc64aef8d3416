import { gatherNoticeRecipients, noticeEmails } from '../../db/repositories/exams/notices';
import type { EmailCounts } from '../../db/repositories/emails/emailRows';
import type { KeyedSemaphore } from '../../lib/keyedSemaphore';
import type { Domain } from '../../domain/context';
import { claimNoticeEmails } from '../../domain/exams/notices/claimNoticeEmails';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import type { Mailer } from '../../outbound/mail/mailer';
import { createEmailBatchSender, type EmailSource, type EmailBatchState } from '../emails/emailBatchSender';
import { activityNow } from '../activityNow';

type ExamNotice = WorkflowArguments['examNotification'];

/** Why no letter of a notice may be sent at present. */
type StopReason = 'institution_inactive' | 'exam_inactive';

/** An activity takes up no more chunks after so many ms: its last one, which may take half a minute, ends before its minute is over. */
const gatherBudgetMs = 20_000;

/** What the notices of exams call. `nowMs` is the workflow's time. Each may be repeated. */
export interface ExamNoticeActivities {
  /** Writes down who is to be told, once, a thousand students at a time; `more` when its time ended before all were. */
  gatherRecipients(notice: ExamNotice, nowMs: number): Promise<EmailCounts & { more?: true }>;
  /** Sends to the next few hundred recipients, ten at a time; fails when the mail server cannot be reached, and has counted nobody then. */
  tellRecipients(notice: ExamNotice, nowMs: number): Promise<EmailBatchState<StopReason>>;
  /** Ends the notice; who still waits is told no more, for the reason given. */
  endExamNotice(notice: ExamNotice, nowMs: number, reason: string): Promise<EmailCounts>;
}

/** The notices' activities over one domain and one mailer; `mailerSemaphore` lets one ten at a time have the mailer of the process. */
export function createExamNoticeActivities(
  domain: Domain,
  mailer: Pick<Mailer, 'send'>,
  mailerSemaphore: KeyedSemaphore,
  budgetMs = gatherBudgetMs,
): ExamNoticeActivities {
  const { sql } = domain.database;
  const send = createEmailBatchSender(mailer, mailerSemaphore);
  const keyOf = ({ institutionId, examId, notice }: ExamNotice) => [institutionId, examId, notice] as const;
  const readCounts = async (notice: ExamNotice, now: Date): Promise<EmailCounts> => (await noticeEmails.progress(sql, keyOf(notice), now)).counts;

  const emailSource = (notice: ExamNotice): EmailSource<StopReason> => ({
    next: async (now) => {
      const next = await claimNoticeEmails(domain, notice, now);
      return next.state === 'letters' ? next.emails : next.state;
    },
    record: (now, outcomes) => noticeEmails.record(sql, keyOf(notice), now, outcomes),
    release: (now, recipientIds) => noticeEmails.release(sql, keyOf(notice), now, recipientIds),
    progress: (now) => noticeEmails.progress(sql, keyOf(notice), now),
  });

  return {
    gatherRecipients: async (notice, nowMs) => {
      const now = activityNow(nowMs);
      const begun = performance.now();
      for (;;) {
        const isDone = await transact(domain, { institutionId: notice.institutionId, now }, (tx) => gatherNoticeRecipients(tx, notice, now));
        if (isDone) return readCounts(notice, now);
        if (performance.now() - begun >= budgetMs) return { ...(await readCounts(notice, now)), more: true };
      }
    },
    tellRecipients: (notice, nowMs) => send(emailSource(notice), nowMs),
    endExamNotice: async (notice, nowMs, reason) => {
      const now = activityNow(nowMs);
      await noticeEmails.end(sql, keyOf(notice), now, reason);
      return readCounts(notice, now);
    },
  };
}
