import { setTimeout as pause } from 'node:timers/promises';
import { MailError } from './mailError';
import type { Mail, Mailer } from './mailer';

/** Letters that nobody waits for: written and sent in the order they were posted, a few at a time. */
export interface LetterQueue {
  /** Returns at once; `write` runs later, is told when, and may decide that there is nothing to send. */
  post(requestId: string, write: (now: Date) => Promise<Mail | undefined>): void;
  /** Takes no more, gives what was posted up to `timeoutMs` to go out, and closes the mailer. */
  close(timeoutMs: number): Promise<void>;
}

interface Posted {
  requestId: string;
  write: (now: Date) => Promise<Mail | undefined>;
}

/** Letters written or sent at the same time; as many as the mailer has connections. */
const places = 5;

/** Letters that may wait for a place; whatever is posted beyond is lost. */
const longestQueue = 1_000;

/** Waits before a letter is tried again, in ms, when the mail server could not take it for the moment. */
const retryAfterMs = [1_000, 5_000];

/**
 * A bounded queue in front of a mailer. A letter that cannot be written, is refused for good, or is still refused at
 * the third try is told to `onLost`, with an error whose words hold no address.
 */
export function createLetterQueue(mailer: Mailer, onLost: (requestId: string, error: unknown) => void): LetterQueue {
  const waiting: Posted[] = [];
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();

  async function send(mail: Mail): Promise<void> {
    for (const waitMs of retryAfterMs) {
      try {
        await mailer.send(mail);
        return;
      } catch (error) {
        if (closing.signal.aborted || !(error instanceof MailError) || error.permanent) throw error;
        // Closing ends the wait, not the letter: it has one more try.
        await pause(waitMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
      }
    }
    await mailer.send(mail);
  }

  async function handle({ requestId, write }: Posted): Promise<void> {
    try {
      const mail = await write(new Date());
      if (mail !== undefined) await send(mail);
    } catch (error) {
      onLost(requestId, error);
    }
  }

  function fill(): void {
    while (underWay.size < places) {
      const next = waiting.shift();
      if (next === undefined) return;
      const handling = handle(next).finally(() => {
        underWay.delete(handling);
        fill();
      });
      underWay.add(handling);
    }
  }

  async function drain(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
    await mailer.close();
  }

  return {
    post(requestId, write) {
      const refusal = closing.signal.aborted ? 'closed' : waiting.length >= longestQueue ? 'full' : undefined;
      if (refusal !== undefined) {
        onLost(requestId, new Error(`The letter queue is ${refusal}`));
        return;
      }
      waiting.push({ requestId, write });
      fill();
    },
    async close(timeoutMs) {
      closing.abort();
      await Promise.race([drain(), pause(timeoutMs, undefined, { ref: false })]);
    },
  };
}
