import { lockInstitution } from '../../db/repositories/institutions/institutions';
import { makeSkippedRetriesDue, readSandboxClock, writeClockOffset } from '../../db/repositories/sandbox/clock';
import { clockOf } from '../clock';
import type { Transaction } from '../context';
import { notFound, validationError } from '../errors';
import { clockAdvanceWorkflowId } from '../outbox/workflows';
import { lastAttemptLeadMs } from '../webhooks/retrySchedule';

const dayMs = 86_400_000;

/** How far one call may advance the clock of a sandbox, in seconds: 90 days. */
export const maxAdvanceSeconds = (90 * dayMs) / 1_000;

/** How far the clock of a sandbox may be ahead of the real time, in ms: ten years. */
const maxOffsetMs = 3_650 * dayMs;

/** The clock of a sandbox at a moment. */
export interface ClockReading {
  now: Date;
  /** How far it is ahead of the real time, in ms. */
  offsetMs: number;
}

/**
 * Moves the clock of the transaction's sandbox forward and returns it; a workflow then does what falls due within the skipped
 * time. Two calls at the same time add up. `validation_error` beyond ten years ahead of the real time.
 */
export async function advanceClock(tx: Transaction, advanceSeconds: number): Promise<ClockReading> {
  await lockInstitution(tx);
  const clock = await readSandboxClock(tx);
  if (clock === undefined) throw notFound('institution', { within: 'service' });
  const offsetMs = clock.offsetMs + advanceSeconds * 1_000;
  if (offsetMs > maxOffsetMs) {
    throw validationError({ path: 'advance_seconds', message: 'advance_seconds must leave the clock at most 3,650 days ahead of the real time; DELETE /v1/sandbox resets it' });
  }
  const { now: before } = clockOf(clock.offsetMs);
  const { now } = clockOf(offsetMs);
  await writeClockOffset(tx, offsetMs);
  await makeSkippedRetriesDue(tx, { before, now, lastUntil: new Date(now.getTime() + lastAttemptLeadMs) });
  const { institutionId } = tx;
  tx.startWorkflow('sandboxClockAdvance', clockAdvanceWorkflowId(institutionId, clock.resets, offsetMs), { institutionId, fromMs: before.getTime(), toMs: now.getTime(), offsetMs });
  return { now, offsetMs };
}
