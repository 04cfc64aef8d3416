import { Context } from '@temporalio/activity';
import type { LetterCounts, LetterOutcome } from '../../db/repositories/emails/emailRows';
import type { Turns } from '../../lib/keyedSemaphore';
import type { NextLetter } from '../../domain/emails/claimedEmail';
import type { Mailer } from '../../outbound/mail/mailer';
import { withHeartbeats } from '../heartbeats';
import { timeOfWork } from '../activityNow';
import { sendTogether } from './sendConcurrently';

/** A batch of letters that wait in Postgres; `Stopped` is why none may be sent at present. */
export interface LetterSource<Stopped extends string> {
  /** Claims the next ten, none when nobody's turn has come. */
  next(now: Date): Promise<NextLetter[] | Stopped>;
  /** Writes down what came of them. */
  record(now: Date, outcomes: { recipientId: string; outcome: LetterOutcome }[]): Promise<void>;
  /** Gives those back that were not tried. */
  release(now: Date, recipientIds: string[]): Promise<void>;
  standing(now: Date): Promise<{ counts: LetterCounts; nextTryAt: Date }>;
}

/** How a batch stands when an activity has done its share. */
export interface LetterStanding<Stopped extends string> {
  /** `more`: there is more to send now; `waits`: the next letter's turn comes at `nextTryMs`; `done`: everyone was told who can be. */
  state: 'more' | 'waits' | 'done' | Stopped;
  counts: LetterCounts;
  nextTryMs: number;
}

/** Sends the next few hundred letters of a batch, ten at a time; fails when the mail server cannot be reached, and has counted nobody then. */
export type LetterSender = <Stopped extends string>(source: LetterSource<Stopped>, nowMs: number) => Promise<LetterStanding<Stopped>>;

/** One activity sends to so many recipients, and takes up no more of them after so many ms. */
const share = { recipients: 300, ms: 60_000 };

/** A sender over one mailer; `turns` lets one ten at a time have the mailer of the process. To be called within an activity. */
export function createLetterSender(mailer: Pick<Mailer, 'send'>, turns: Turns): LetterSender {
  /** Claims and sends one ten; answers how many there were, or why there is nothing to send. */
  async function sendTen<Stopped extends string>(source: LetterSource<Stopped>, nowMs: number): Promise<number | Stopped> {
    const now = timeOfWork(nowMs);
    const next = await source.next(now);
    if (typeof next === 'string') return next;
    const { outcomes, away } = await sendTogether(mailer, next, now);
    await source.record(now, outcomes);
    if (away !== undefined) {
      await source.release(now, away.recipientIds);
      throw away.failure;
    }
    return next.length;
  }

  async function standing<Stopped extends string>(source: LetterSource<Stopped>, nowMs: number): Promise<LetterStanding<Stopped>> {
    const now = timeOfWork(nowMs);
    const { counts, nextTryAt } = await source.standing(now);
    const waiting = counts.total - counts.sent - counts.refused - counts.skipped;
    const due = nextTryAt.getTime() <= now.getTime();
    return { state: waiting === 0 ? 'done' : due ? 'more' : 'waits', counts, nextTryMs: nextTryAt.getTime() };
  }

  return (source, nowMs) =>
    withHeartbeats(async () => {
      const { cancellationSignal } = Context.current();
      const begun = performance.now();
      for (let told = 0; told < share.recipients && performance.now() - begun < share.ms && !cancellationSignal.aborted; ) {
        const ten = await turns.run('mailer', () => sendTen(source, nowMs));
        if (typeof ten === 'string') return { ...(await standing(source, nowMs)), state: ten };
        if (ten === 0) break;
        told += ten;
      }
      return standing(source, nowMs);
    });
}
