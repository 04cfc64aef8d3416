import type { BatchStatus } from '../../db/repositories/provisioning/batches';

/** How many rows of a batch are created in one transaction. */
export const rowsPerChunk = 100;

/** A batch still open after this long was abandoned by its call: nobody waits for it, so nothing more is created. */
const batchLifetimeMs = 120_000;

/** Batches opened before this moment were abandoned, should they still be open. */
export const abandonedBefore = (now: Date): Date => new Date(now.getTime() - batchLifetimeMs);

/** What names a batch, with the number of its rows: also what its workflow is told. */
export interface BatchReference {
  batchId: string;
  institutionId: string;
  total: number;
}

/** How far a batch is. Rows that were refused when it was opened count as failed from the start. */
export interface BatchProgress {
  status: BatchStatus;
  created: number;
  failed: number;
  /** The first row that no chunk has come to yet. */
  next: number;
}

/** Has a batch's rows created, chunk by chunk, within the time that a call waits. */
export interface ProvisioningRunner {
  /** `ended`: nothing of the batch is left to be done. `gave up`: it may still be under way, or was never begun. */
  run(batch: BatchReference): Promise<'ended' | 'gave up'>;
}
