import { gatherNoticeRecipients, noticeEmails } from '../../db/repositories/exams/notices';
import type { EmailCounts } from '../../db/repositories/emails/emailRows';
import type { KeyedSemaphore } from '../../lib/keyedSemaphore';
import type { Domain } from '../../domain/context';
import { claimNoticeEmails } from '../../domain/exams/notices/claimNoticeEmails';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import type { Mailer } from '../../outbound/mail/mailer';
import { createEmailBatchSender, type EmailSource, type EmailBatchState } from '../emails/emailBatchSender';
import { createEmailSender } from '../emails/emailSender';
import { activityNow } from '../activityNow';

type ExamNotice = WorkflowArguments['examNotification'];

/** Why no email of a notice may be sent now. */
type StopReason = 'institution_inactive' | 'exam_inactive';

/** Time after which an activity starts no more chunks, in ms: its last one, which may take half a minute, ends within the timeout of one minute. */
const gatherBudgetMs = 20_000;

/** The activities of exam notices. `nowMs` is the workflow's time. All are idempotent. */
export interface ExamNoticeActivities {
  /** Stores the recipients, once, a thousand students at a time; `more` if its time ended before all were stored. */
  gatherRecipients(notice: ExamNotice, nowMs: number): Promise<EmailCounts & { more?: true }>;
  /** Emails the next few hundred recipients, ten at a time; fails if the mail server is unreachable, without counting any recipient. */
  tellRecipients(notice: ExamNotice, nowMs: number): Promise<EmailBatchState<StopReason>>;
  /** Ends the notice; the remaining recipients are skipped for the given reason. */
  endExamNotice(notice: ExamNotice, nowMs: number, reason: string): Promise<EmailCounts>;
}

/** Returns the activities of notices; `mailerSemaphore` limits the process to ten emails at a time. */
export function createExamNoticeActivities(
  domain: Domain,
  mailer: Pick<Mailer, 'send'>,
  mailerSemaphore: KeyedSemaphore,
  budgetMs = gatherBudgetMs,
): ExamNoticeActivities {
  const { sql } = domain.database;
  const send = createEmailBatchSender(sql, createEmailSender(domain, mailer), mailerSemaphore);
  const keyOf = ({ institutionId, examId, notice }: ExamNotice) => [institutionId, examId, notice] as const;
  const readCounts = async (notice: ExamNotice, now: Date): Promise<EmailCounts> => (await noticeEmails.progress(sql, keyOf(notice), now)).counts;

  const emailSource = (notice: ExamNotice): EmailSource<StopReason> => ({
    purpose: { institutionId: notice.institutionId, kind: notice.submissionId === undefined ? 'exam_announcement' : 'resubmission_request' },
    next: async (now) => {
      const next = await claimNoticeEmails(domain, notice, now);
      return next.state === 'emails' ? next.emails : next.state;
    },
    record: (now, outcomes) => noticeEmails.record(sql, keyOf(notice), now, outcomes),
    release: (now, recipientIds) => noticeEmails.release(sql, keyOf(notice), now, recipientIds),
    progress: (now) => noticeEmails.progress(sql, keyOf(notice), now),
  });

  return {
    gatherRecipients: async (notice, nowMs) => {
      const now = await activityNow(sql, notice.institutionId, nowMs);
      const begun = performance.now();
      for (;;) {
        const isDone = await transact(domain, { institutionId: notice.institutionId, now }, (tx) => gatherNoticeRecipients(tx, notice, now));
        if (isDone) return readCounts(notice, now);
        if (performance.now() - begun >= budgetMs) return { ...(await readCounts(notice, now)), more: true };
      }
    },
    tellRecipients: (notice, nowMs) => send(emailSource(notice), nowMs),
    endExamNotice: async (notice, nowMs, reason) => {
      const now = await activityNow(sql, notice.institutionId, nowMs);
      await noticeEmails.end(sql, keyOf(notice), now, reason);
      return readCounts(notice, now);
    },
  };
}
