import type { OutboxRow } from '../../db/repositories/outbox/outbox';

/** The result of a start or signal. */
export type SendResult = 'done' | { failed: 'unreachable' | 'refused'; message: string };

/** The engine that runs workflows; starts and signals are idempotent. */
export interface WorkflowEngine {
  send(row: Pick<OutboxRow, 'kind' | 'name' | 'workflow_id' | 'argument' | 'trace_context' | 'epochs'>): Promise<SendResult>;
}

/** How long a claim of outbox rows lasts, in ms: a row is sent within half a second, and those of a dead process become due after it. */
export const leaseMs = 5_000;

const unreachableWaitMs = 1_000;

/** The longest wait before a row is sent again, in ms: after a timeout of this row only, and after a rejection. */
export const maxWaitMs = { unreachable: 15_000, refused: 60_000 };

/**
 * Returns how long a row waits after its nth failed try, in ms: one second while the engine responds to no request;
 * longer each time if only this row fails, or it is rejected.
 */
export function retryWaitMs(failed: 'unreachable' | 'refused', tries: number, engineAnswers: boolean): number {
  if (failed === 'unreachable' && !engineAnswers) return unreachableWaitMs;
  return Math.min(1_000 * 2 ** Math.min(tries - 1, 6), maxWaitMs[failed]);
}
