import { gatherNoticeRecipients, noticeLetters } from '../../db/repositories/exams/notices';
import type { LetterCounts } from '../../db/repositories/emails/emailRows';
import type { Turns } from '../../lib/keyedSemaphore';
import type { Domain } from '../../domain/context';
import { nextLetters } from '../../domain/exams/notices/claimNoticeEmails';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import type { Mailer } from '../../outbound/mail/mailer';
import { createLetterSender, type LetterSource, type LetterStanding } from '../emails/emailBatchSender';
import { timeOfWork } from '../activityNow';

type ExamNotice = WorkflowArguments['examNotification'];

/** Why no letter of a notice may be sent at present. */
type Stopped = 'institution_inactive' | 'exam_inactive';

/** An activity takes up no more chunks after so many ms: its last one, which may take half a minute, ends before its minute is over. */
const gathersWithinMs = 20_000;

/** What the notices of exams call. `nowMs` is the workflow's time. Each may be repeated. */
export interface ExamNoticeActivities {
  /** Writes down who is to be told, once, a thousand students at a time; `more` when its time ended before all were. */
  gatherRecipients(notice: ExamNotice, nowMs: number): Promise<LetterCounts & { more?: true }>;
  /** Sends to the next few hundred recipients, ten at a time; fails when the mail server cannot be reached, and has counted nobody then. */
  tellRecipients(notice: ExamNotice, nowMs: number): Promise<LetterStanding<Stopped>>;
  /** Ends the notice; who still waits is told no more, for the reason given. */
  endExamNotice(notice: ExamNotice, nowMs: number, reason: string): Promise<LetterCounts>;
}

/** The notices' activities over one domain and one mailer; `turns` lets one ten at a time have the mailer of the process. */
export function createExamNoticeActivities(domain: Domain, mailer: Pick<Mailer, 'send'>, turns: Turns): ExamNoticeActivities {
  const { sql } = domain.database;
  const send = createLetterSender(mailer, turns);
  const keyOf = ({ institutionId, examId, notice }: ExamNotice) => [institutionId, examId, notice] as const;
  const countsOf = async (notice: ExamNotice, now: Date): Promise<LetterCounts> => (await noticeLetters.standing(sql, keyOf(notice), now)).counts;

  const lettersOf = (notice: ExamNotice): LetterSource<Stopped> => ({
    next: async (now) => {
      const next = await nextLetters(domain, notice, now);
      return next.state === 'letters' ? next.letters : next.state;
    },
    record: (now, outcomes) => noticeLetters.record(sql, keyOf(notice), now, outcomes),
    release: (now, recipientIds) => noticeLetters.release(sql, keyOf(notice), now, recipientIds),
    standing: (now) => noticeLetters.standing(sql, keyOf(notice), now),
  });

  return {
    gatherRecipients: async (notice, nowMs) => {
      const now = timeOfWork(nowMs);
      const begun = performance.now();
      for (;;) {
        const isDone = await transact(domain, { institutionId: notice.institutionId, now }, (tx) => gatherNoticeRecipients(tx, notice, now));
        if (isDone) return countsOf(notice, now);
        if (performance.now() - begun >= gathersWithinMs) return { ...(await countsOf(notice, now)), more: true };
      }
    },
    tellRecipients: (notice, nowMs) => send(lettersOf(notice), nowMs),
    endExamNotice: async (notice, nowMs, reason) => {
      const now = timeOfWork(nowMs);
      await noticeLetters.end(sql, keyOf(notice), now, reason);
      return countsOf(notice, now);
    },
  };
}
