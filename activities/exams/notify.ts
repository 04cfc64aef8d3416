import { Context } from '@temporalio/activity';
import { institutionScope } from '../../db/database';
import { recordRecipients, releaseRecipients } from '../../db/repositories/examNoticeLetters';
import { endNotice, gatherNoticeRecipients, readNoticeStanding, type NoticeCounts } from '../../db/repositories/examNotices';
import type { Turns } from '../../db/turns';
import type { Domain } from '../../domain/context';
import { nextLetters } from '../../domain/exams/notices/nextLetters';
import type { WorkflowArguments } from '../../domain/owed/workflows';
import { transact } from '../../domain/transact';
import type { Mailer } from '../../outbound/mail/mailer';
import { withHeartbeats } from '../heartbeats';
import { timeOfWork } from '../timeOfWork';
import { sendTogether } from './sendTogether';

type ExamNotice = WorkflowArguments['examNotification'];

/** How a notice stands when an activity has done its share. */
export interface NoticeStanding {
  /** `more`: there is more to send now; `waits`: the next recipient's turn comes at `nextTryMs`; `done`: everyone was told who can be. */
  state: 'more' | 'waits' | 'done' | 'institution_inactive' | 'exam_inactive';
  counts: NoticeCounts;
  nextTryMs: number;
}

/** What the notices of exams call. `nowMs` is the workflow's time. Each may be repeated. */
export interface ExamNoticeActivities {
  /** Writes down who is to be told, once. */
  gatherRecipients(notice: ExamNotice, nowMs: number): Promise<NoticeCounts>;
  /** Sends to the next few hundred recipients, ten at a time; fails when the mail server cannot be reached, and has counted nobody then. */
  tellRecipients(notice: ExamNotice, nowMs: number): Promise<NoticeStanding>;
  /** Ends the notice; who still waits is told no more, for the reason given. */
  endExamNotice(notice: ExamNotice, nowMs: number, reason: string): Promise<NoticeCounts>;
}

/** One activity sends to so many recipients, and takes up no more of them after so many ms. */
const share = { recipients: 300, ms: 60_000 };

/** The notices' activities over one domain and one mailer; `turns` lets one ten at a time have the mailer of the process. */
export function createExamNoticeActivities(domain: Domain, mailer: Pick<Mailer, 'send'>, turns: Turns): ExamNoticeActivities {
  const scopeOf = ({ institutionId }: ExamNotice) => institutionScope(domain.database, institutionId);
  const countsOf = async (notice: ExamNotice, now: Date): Promise<NoticeCounts> => (await readNoticeStanding(scopeOf(notice), notice, now)).counts;

  /** Claims and sends one ten; answers how many there were, or why there is nothing to send. */
  async function tellTen(notice: ExamNotice, nowMs: number): Promise<number | 'exam_inactive' | 'institution_inactive'> {
    const giveBack = await turns.take('mailer');
    try {
      const now = timeOfWork(nowMs);
      const next = await nextLetters(domain, notice, now);
      if (next.state !== 'letters') return next.state;
      const { outcomes, away } = await sendTogether(mailer, next.letters, now);
      await recordRecipients(scopeOf(notice), notice, now, outcomes);
      if (away !== undefined) {
        await releaseRecipients(scopeOf(notice), notice, now, away.recipientIds);
        throw away.failure;
      }
      return next.letters.length;
    } finally {
      giveBack();
    }
  }

  async function standing(notice: ExamNotice, nowMs: number): Promise<NoticeStanding> {
    const now = timeOfWork(nowMs);
    const { counts, nextTryAt } = await readNoticeStanding(scopeOf(notice), notice, now);
    const waiting = counts.total - counts.sent - counts.refused - counts.skipped;
    const due = nextTryAt.getTime() <= now.getTime();
    return { state: waiting === 0 ? 'done' : due ? 'more' : 'waits', counts, nextTryMs: nextTryAt.getTime() };
  }

  return {
    gatherRecipients: async (notice, nowMs) => {
      const now = timeOfWork(nowMs);
      await transact(domain, { institutionId: notice.institutionId, now }, (tx) => gatherNoticeRecipients(tx, notice, now));
      return countsOf(notice, now);
    },
    tellRecipients: (notice, nowMs) =>
      withHeartbeats(async () => {
        const { cancellationSignal } = Context.current();
        const begun = performance.now();
        for (let told = 0; told < share.recipients && performance.now() - begun < share.ms && !cancellationSignal.aborted; ) {
          const ten = await tellTen(notice, nowMs);
          if (typeof ten === 'string') return { ...(await standing(notice, nowMs)), state: ten };
          if (ten === 0) break;
          told += ten;
        }
        return standing(notice, nowMs);
      }),
    endExamNotice: async (notice, nowMs, reason) => {
      const now = timeOfWork(nowMs);
      await endNotice(scopeOf(notice), notice, now, reason);
      return countsOf(notice, now);
    },
  };
}
