import { Context } from '@temporalio/activity';
import type { EmailCounts, EmailOutcome } from '../../db/repositories/emails/emailRows';
import type { KeyedSemaphore } from '../../lib/keyedSemaphore';
import type { Sql } from '../../db/statement';
import { toRealTime } from '../../domain/clock';
import type { ClaimedEmail } from '../../domain/emails/claimedEmail';
import { withHeartbeats } from '../heartbeats';
import { activityNow, activityTime } from '../activityNow';
import type { EmailSender } from './emailSender';
import { sendConcurrently, type BatchPurpose } from './sendConcurrently';

/** A batch of emails stored in Postgres; `Stopped` is why none may be sent now. */
export interface EmailSource<Stopped extends string> {
  readonly purpose: BatchPurpose;
  /** Claims the next ten; empty if none is due. */
  next(now: Date): Promise<ClaimedEmail[] | Stopped>;
  /** Records their outcomes. */
  record(now: Date, outcomes: { recipientId: string; outcome: EmailOutcome }[]): Promise<void>;
  /** Releases the claims of emails that were not tried. */
  release(now: Date, recipientIds: string[]): Promise<void>;
  progress(now: Date): Promise<{ counts: EmailCounts; nextTryAt: Date }>;
}

/** The state of a batch after an activity. */
export interface EmailBatchState<Stopped extends string> {
  /** `more`: more emails are due now; `waits`: the next is due at `nextTryMs`, a real time; `done`: no recipient is left. */
  state: 'more' | 'waits' | 'done' | Stopped;
  counts: EmailCounts;
  nextTryMs: number;
}

/** Sends the next few hundred emails of a batch, ten at a time; fails if the mail server is unreachable, without counting any recipient. */
export type EmailBatchSender = <Stopped extends string>(source: EmailSource<Stopped>, nowMs: number) => Promise<EmailBatchState<Stopped>>;

/** Maximum number of recipients of one activity, and the time after which it claims no more, in ms. */
const activityBudget = { recipients: 300, ms: 60_000 };

/** Returns a sender of batches; `mailerSemaphore` limits the process to ten emails at a time. Must be called within an activity. */
export function createEmailBatchSender(sql: Sql, sender: EmailSender, mailerSemaphore: KeyedSemaphore): EmailBatchSender {
  /** Claims and sends up to ten emails; returns how many, or why none may be sent. */
  async function sendChunk<Stopped extends string>(source: EmailSource<Stopped>, nowMs: number): Promise<number | Stopped> {
    const now = await activityNow(sql, source.purpose.institutionId, nowMs);
    const next = await source.next(now);
    if (typeof next === 'string') return next;
    const { outcomes, untried } = await sendConcurrently(sender, source.purpose, next, now);
    await source.record(now, outcomes);
    if (untried !== undefined) {
      await source.release(now, untried.recipientIds);
      throw untried.failure;
    }
    return next.length;
  }

  async function readState<Stopped extends string>(source: EmailSource<Stopped>, nowMs: number): Promise<EmailBatchState<Stopped>> {
    const { now, clockOffsetMs } = await activityTime(sql, source.purpose.institutionId, nowMs);
    const { counts, nextTryAt } = await source.progress(now);
    const waiting = counts.total - counts.sent - counts.refused - counts.skipped;
    const due = nextTryAt.getTime() <= now.getTime();
    return { state: waiting === 0 ? 'done' : due ? 'more' : 'waits', counts, nextTryMs: toRealTime({ clockOffsetMs }, nextTryAt).getTime() };
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
