import {
  emptyAllowance,
  emptyWallets,
  endErasure,
  eraseFileRows,
  eraseRows,
  erasedTables,
  hasRowsToErase,
  isErasing,
  listFilesToErase,
  lockErasingSandbox,
  type ErasedRow,
  type ErasedTable,
} from '../../db/repositories/sandbox/erasure';
import type { WaitingKind } from '../../db/repositories/sandbox/clock';
import { institutionScope } from '../../db/database';
import type { Domain, Transaction } from '../context';
import type { SignalArguments } from '../outbox/workflows';
import { transact } from '../transact';
import { furnishSandbox } from './furnishSandbox';
import { inSandbox } from './openSandbox';
import { waitingWorkflowIds } from './waitingWorkflows';

/** Maximum number of rows that one transaction erases. */
const rowsPerTransaction = 1_000;

/** Maximum number of files that one chunk erases, and how many at a time. */
const filesPerChunk = 100;
const concurrentFiles = 10;

/** What a chunk has erased, and what is left. */
export interface ErasureStep {
  /** The table that the next chunk begins with; null if every table was gone through. */
  next: ErasedTable | null;
  erased: number;
}

/** Counts rows of a table in the transaction that has erased them. */
export type CountErased = (tx: Transaction, table: ErasedTable, erased: number) => Promise<void>;

const countNothing: CountErased = () => Promise.resolve();

/**
 * Erases one chunk of the sandbox, or of the institution that has left, beginning with a table: at most 1,000 rows or 100 files of
 * the first table that has any. Workflows that wait for something about the rows get a signal, look again, and end. Nothing is erased
 * of an institution that is not being erased.
 */
export async function eraseChunk(domain: Domain, institutionId: string, from: ErasedTable | null, now: Date, count = countNothing): Promise<ErasureStep> {
  const begun = erasedTables.findIndex((table) => table === from);
  for (const [index, table] of erasedTables.slice(Math.max(begun, 0)).entries()) {
    const { erased, more } = await eraseTable(domain, institutionId, table, now, count);
    if (more) return { next: table, erased };
    const next = erasedTables[Math.max(begun, 0) + index + 1] ?? null;
    if (erased > 0) return { next, erased };
  }
  return { next: null, erased: 0 };
}

async function eraseTable(domain: Domain, institutionId: string, table: ErasedTable, now: Date, count: CountErased): Promise<{ erased: number; more: boolean }> {
  if (table === 'files') return eraseFiles(domain, institutionId, now, count);
  return transact(domain, { institutionId, now }, async (tx) => {
    if (!(await isErasing(tx))) return { erased: 0, more: false };
    if (table === 'merit_moves') {
      await emptyAllowance(tx);
      if ((await emptyWallets(tx, rowsPerTransaction)) === rowsPerTransaction) return { erased: 0, more: true };
    }
    const rows = await eraseRows(tx, table, rowsPerTransaction);
    for (const row of rows) signalWaitingWorkflow(tx, table, row);
    if (rows.length > 0) await count(tx, table, rows.length);
    return { erased: rows.length, more: rows.length === rowsPerTransaction };
  });
}

/** Deletes files from the store, then their rows: what a crash leaves is found again. */
async function eraseFiles(domain: Domain, institutionId: string, now: Date, count: CountErased): Promise<{ erased: number; more: boolean }> {
  const mayErase = await transact(domain, { institutionId, now }, isErasing);
  const ids = mayErase ? await listFilesToErase(institutionScope(domain.database, institutionId), filesPerChunk) : [];
  for (let begun = 0; begun < ids.length; begun += concurrentFiles) {
    await Promise.all(ids.slice(begun, begun + concurrentFiles).map((id) => domain.files.delete(id)));
  }
  if (ids.length > 0) {
    await transact(domain, { institutionId, now }, async (tx) => {
      const erased = await eraseFileRows(tx, ids);
      if (erased > 0) await count(tx, 'files', erased);
    });
  }
  return { erased: ids.length, more: ids.length === filesPerChunk };
}

/** The workflows that wait for something about a table's rows, and the signal that has them look at the rows again. */
const waitingWorkflows: Partial<Record<ErasedTable, { kind: WaitingKind; signal: Exclude<keyof SignalArguments, 'attempt' | 'retryNow'> }>> = {
  open_deliveries: { kind: 'deliveries', signal: 'cancel' },
  webhook_endpoints: { kind: 'backlogs', signal: 'look' },
  attempt_expiries: { kind: 'attempts', signal: 'look' },
  guardian_links: { kind: 'guardianInvitations', signal: 'look' },
  developers: { kind: 'developerInvitations', signal: 'look' },
  coupon_batches: { kind: 'couponBatches', signal: 'look' },
};

function signalWaitingWorkflow(tx: Transaction, table: ErasedTable, { id, occurrence }: ErasedRow): void {
  const waiting = waitingWorkflows[table];
  if (waiting === undefined || id === null) return;
  tx.signalWorkflow(waiting.signal, waitingWorkflowIds[waiting.kind](id, occurrence), {});
}

/**
 * Ends the erasure of an empty sandbox: it becomes as a new one, and its keys are let in again. Returns `more` if a call that was
 * under way has left rows. Its lock waits for the transactions that are writing rows of the sandbox, and holds off further ones.
 */
export function endReset(domain: Domain, institutionId: string, now: Date): Promise<'done' | 'more'> {
  return transact(domain, { institutionId, now }, async (tx) => {
    if (!(await lockErasingSandbox(tx))) return 'done';
    if (await hasRowsToErase(tx)) return 'more';
    await endErasure(tx, now);
    await furnishSandbox(inSandbox(tx, institutionId));
    return 'done';
  });
}
