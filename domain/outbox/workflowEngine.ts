import type { OutboxRow } from '../../db/repositories/outbox/outbox';

/** What a workflow engine answers when it is told something. */
export type SendResult = 'done' | { failed: 'unreachable' | 'refused'; message: string };

/** The engine that keeps workflows; telling it twice is telling it once. */
export interface WorkflowEngine {
  send(owed: Pick<OutboxRow, 'kind' | 'name' | 'workflow_id' | 'argument' | 'epochs'>): Promise<SendResult>;
}

/** A row is told within half a second; one that a dead process had claimed waits no longer than this, in ms. */
export const leaseMs = 5_000;

const unreachableWaitMs = 1_000;

/** The longest wait of a row that could not be told, in ms: where it alone is not answered, and where it is refused. */
export const maxWaitMs = { unreachable: 15_000, refused: 60_000 };

/**
 * How long a row waits that could not be told at its nth try, in ms: a second while the engine answers nobody; longer each
 * time where the row alone is not answered, or is refused.
 */
export function retryWaitMs(failed: 'unreachable' | 'refused', tries: number, engineAnswers: boolean): number {
  if (failed === 'unreachable' && !engineAnswers) return unreachableWaitMs;
  return Math.min(1_000 * 2 ** Math.min(tries - 1, 6), maxWaitMs[failed]);
}
