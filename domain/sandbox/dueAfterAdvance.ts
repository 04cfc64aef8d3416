import { listWaiting, readSandboxClock, waitingKinds, type WaitingKind } from '../../db/repositories/sandbox/clock';
import type { Transaction } from '../context';
import type { WorkflowArguments } from '../outbox/workflows';
import { lastWholeWeek } from '../reports/week';
import { waitingWorkflowIds } from './waitingWorkflows';

type ClockAdvance = WorkflowArguments['sandboxClockAdvance'];

/** Maximum number of waiting workflows that one transaction wakes. */
const wakeChunk = 200;

/** The position among what waits after which the next chunk begins. */
export interface WakePosition {
  kind: WaitingKind;
  afterId: string;
}

/** The result of one chunk; `next` is the position of the following one, null after the last. */
export interface WakeStep {
  woken: number;
  next: WakePosition | null;
}

/**
 * Signals one chunk of the sandbox's workflows that wait for a time, after `after`: each reads its state again, by the clock as it
 * is then. What has ended meanwhile ignores it. Once the clock is advanced further, only those whose time is over since this advance
 * are left to it: the later one signals all others, so that many advances do not signal every workflow many times.
 */
export async function wakeWaiting(tx: Transaction, advance: ClockAdvance, after: WakePosition | null): Promise<WakeStep> {
  const { kind, afterId } = after ?? { kind: waitingKinds[0], afterId: '' };
  const until = (await isAdvancedFurther(tx, advance)) ? new Date(advance.toMs) : null;
  const rows = await listWaiting(tx, kind, { afterId, since: new Date(advance.fromMs), until, limit: wakeChunk });
  for (const row of rows) tx.signalWorkflow('look', waitingWorkflowIds[kind](row.id, row.nth), {});
  const last = rows.at(-1);
  if (last !== undefined && rows.length === wakeChunk) return { woken: rows.length, next: { kind, afterId: last.id } };
  const following = waitingKinds[waitingKinds.indexOf(kind) + 1];
  return { woken: rows.length, next: following === undefined ? null : { kind: following, afterId: '' } };
}

/** Whether another advance has moved the clock since this one; a reset sets it back. */
async function isAdvancedFurther(tx: Transaction, { offsetMs }: ClockAdvance): Promise<boolean> {
  const clock = offsetMs === undefined ? undefined : await readSandboxClock(tx);
  return clock !== undefined && offsetMs !== undefined && clock.offsetMs > offsetMs;
}

const weekMs = 7 * 86_400_000;

/** Returns a moment after the end of each week that ended within an advance, in ms, oldest first; the institution's time zone has the weeks begin. */
export function skippedWeekEnds(timeZone: string, { fromMs, toMs }: ClockAdvance): number[] {
  const last = lastWholeWeek(timeZone, new Date(toMs)).monday;
  const moments: number[] = [];
  let known = lastWholeWeek(timeZone, new Date(fromMs)).monday;
  for (let atMs = fromMs + weekMs; known !== last; atMs += weekMs) {
    const asOfMs = Math.min(atMs, toMs);
    const { monday } = lastWholeWeek(timeZone, new Date(asOfMs));
    if (monday !== known) moments.push(asOfMs);
    known = monday;
  }
  return moments;
}
