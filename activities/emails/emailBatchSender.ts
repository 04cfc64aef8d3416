import { Context } from '@temporalio/activity';
import type { EmailCounts, EmailOutcome } from '../../db/repositories/emails/emailRows';
import type { KeyedSemaphore } from '../../lib/keyedSemaphore';
import type { ClaimedEmail } from '../../domain/emails/claimedEmail';
import type { Mailer } from '../../outbound/mail/mailer';
import { withHeartbeats } from '../heartbeats';
import { activityNow } from '../activityNow';
import { sendConcurrently } from './sendConcurrently';

/** A batch of letters that wait in Postgres; `Stopped` is why none may be sent at present. */
export interface EmailSource<Stopped extends string> {
  /** Claims the next ten, none when nobody's turn has come. */
  next(now: Date): Promise<ClaimedEmail[] | Stopped>;
  /** Writes down what came of them. */
  record(now: Date, outcomes: { recipientId: string; outcome: EmailOutcome }[]): Promise<void>;
  /** Gives those back that were not tried. */
  release(now: Date, recipientIds: string[]): Promise<void>;
  progress(now: Date): Promise<{ counts: EmailCounts; nextTryAt: Date }>;
}

/** How a batch stands when an activity has done its share. */
export interface EmailBatchState<Stopped extends string> {
  /** `more`: there is more to send now; `waits`: the next letter's turn comes at `nextRetryMs`; `done`: everyone was told who can be. */
  state: 'more' | 'waits' | 'done' | Stopped;
  counts: EmailCounts;
  nextTryMs: number;
}

/** Sends the next few hundred letters of a batch, ten at a time; fails when the mail server cannot be reached, and has counted nobody then. */
export type EmailBatchSender = <Stopped extends string>(source: EmailSource<Stopped>, nowMs: number) => Promise<EmailBatchState<Stopped>>;

/** One activity sends to so many recipients, and takes up no more of them after so many ms. */
const activityBudget = { recipients: 300, ms: 60_000 };

/** A sender over one mailer; `turns` lets one ten at a time have the mailer of the process. To be called within an activity. */
export function createEmailBatchSender(mailer: Pick<Mailer, 'send'>, mailerSemaphore: KeyedSemaphore): EmailBatchSender {
  /** Claims and sends one ten; answers how many there were, or why there is nothing to send. */
  async function sendChunk<Stopped extends string>(source: EmailSource<Stopped>, nowMs: number): Promise<number | Stopped> {
    const now = activityNow(nowMs);
    const next = await source.next(now);
    if (typeof next === 'string') return next;
    const { outcomes, untried } = await sendConcurrently(mailer, next, now);
    await source.record(now, outcomes);
    if (untried !== undefined) {
      await source.release(now, untried.recipientIds);
      throw untried.failure;
    }
    return next.length;
  }

  async function readState<Stopped extends string>(source: EmailSource<Stopped>, nowMs: number): Promise<EmailBatchState<Stopped>> {
    const now = activityNow(nowMs);
    const { counts, nextTryAt } = await source.progress(now);
    const waiting = counts.total - counts.sent - counts.refused - counts.skipped;
    const due = nextTryAt.getTime() <= now.getTime();
    return { state: waiting === 0 ? 'done' : due ? 'more' : 'waits', counts, nextTryMs: nextTryAt.getTime() };
  }

  return (source, nowMs) =>
    withHeartbeats(async () => {
      const { cancellationSignal } = Context.current();
      const begun = performance.now();
      for (let sentCount = 0; sentCount < activityBudget.recipients && performance.now() - begun < activityBudget.ms && !cancellationSignal.aborted; ) {
        const chunk = await mailerSemaphore.run('mailer', () => sendChunk(source, nowMs));
        if (typeof chunk === 'string') return { ...(await readState(source, nowMs)), state: chunk };
        if (chunk === 0) break;
        sentCount += chunk;
      }
      return readState(source, nowMs);
    });
}
