import { withTimeout } from '../../lib/timeout';
import { errorMessage } from '../../local/errors';

/** What scenarios saw, as rows of figures, and which rules that breaks, as sentences. */
export interface Findings {
  seen: readonly object[];
  broken: readonly string[];
}

/** One of several things to do, each of which may fail by itself. */
export interface Step {
  name: string;
  /** A step that takes longer has failed. */
  withinMs: number;
  run: () => Promise<Findings>;
  /** Ends what a failed step has left, so that the next one has nothing of it. */
  clear: () => Promise<void>;
}

interface InTurnOptions {
  log: (line: string) => void;
  /** Once it aborts, the step under way and all others are given up. */
  signal: AbortSignal;
}

const minuteMs = 60_000;

function rejectedOn(signal: AbortSignal): Promise<never> {
  const rejected = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason))), { once: true });
  });
  rejected.catch(() => undefined); // It may abort while nobody waits.
  return rejected;
}

/** Runs the steps one after the other, also those after one that fails, and says how each went; fails only if the signal aborts. */
export async function runInTurn(steps: readonly Step[], { log, signal }: InTurnOptions): Promise<Findings> {
  const seen: object[] = [];
  const broken: string[] = [];
  const stopped = rejectedOn(signal);
  const tooLong = (ms: number) => (): never => { throw new Error(`it took longer than ${ms / minuteMs} minutes`); };
  for (const [nth, { name, withinMs, run, clear }] of steps.entries()) {
    signal.throwIfAborted();
    log(`\n[${nth + 1}/${steps.length}] ${name}`);
    // What is given up goes on until what it uses is ended.
    const findings = await withTimeout(withinMs, Promise.race([run(), stopped]), tooLong(withinMs)).catch(async (error: unknown): Promise<Findings> => {
      signal.throwIfAborted();
      await clear();
      return { seen: [], broken: [`${name} failed: ${errorMessage(error)}`] };
    });
    seen.push(...findings.seen);
    broken.push(...findings.broken);
    log(findings.broken.length === 0 ? `✓ ${name}: no rule is broken` : findings.broken.map((line) => `✗ ${line}`).join('\n'));
  }
  return { seen, broken };
}
