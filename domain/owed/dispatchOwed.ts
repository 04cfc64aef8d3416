import type { Database } from '../../db/database';
import { claimOwed, postponeOwed, settleOwed, type OwedRow } from '../../db/repositories/owed';

/** What a workflow engine answers when it is told something. */
export type Told = 'done' | { failed: 'unreachable' | 'refused'; message: string };

/** The engine that keeps workflows; telling it twice is telling it once. */
export interface WorkflowEngine {
  tell(owed: Pick<OwedRow, 'kind' | 'name' | 'workflow_id' | 'argument'>): Promise<Told>;
}

/** A row is told within half a second; one that a dead process had claimed waits no longer than this, in ms. */
const leaseMs = 5_000;
const atOnce = 20;
const unreachableWaitMs = 1_000;
const refusedWaitMs = (tries: number): number => Math.min(1_000 * 2 ** Math.min(tries, 6), 60_000);

/**
 * Tells the engine what is owed, oldest first and in order for each workflow; answers how many rows were settled
 * and whether the engine answered at all. What it cannot tell stays owed.
 */
export async function dispatchOwed(database: Database, engine: WorkflowEngine, now: () => Date): Promise<{ settled: number; reachable: boolean }> {
  const rows = await claimOwed(database.sql, now(), atOnce, leaseMs);
  const answers = await Promise.all(rows.map(async (row) => ({ row, told: await engine.tell(row) })));
  const done = answers.filter(({ told }) => told === 'done').map(({ row }) => row.seq);
  await settleOwed(database.sql, done);
  let reachable = true;
  for (const { row, told } of answers) {
    if (told === 'done') continue;
    const unreachable = told.failed === 'unreachable';
    if (unreachable) reachable = false;
    const waitMs = unreachable ? unreachableWaitMs : refusedWaitMs(row.tries);
    await postponeOwed(database.sql, [row.seq], new Date(now().getTime() + waitMs), told.message);
  }
  return { settled: done.length, reachable };
}
