import type { BatchStatus } from '../../db/repositories/provisioning/batches';

/** Number of rows of a batch that one transaction creates. */
export const rowsPerChunk = 100;

/** A batch open for longer than this was abandoned by its call: no one waits for it, so nothing more is created. */
const batchLifetimeMs = 120_000;

/** Returns the real time before which open batches count as abandoned. */
export const abandonedBefore = (realNow: Date): Date => new Date(realNow.getTime() - batchLifetimeMs);

/** Identifies a batch and the number of its rows; also the argument of its workflow. */
export interface BatchReference {
  batchId: string;
  institutionId: string;
  total: number;
}

/** The progress of a batch. Rows rejected when it was opened count as failed from the start. */
export interface BatchProgress {
  status: BatchStatus;
  created: number;
  failed: number;
  /** The first row not processed yet. */
  next: number;
}

/** Creates a batch's rows, chunk by chunk, within the time that a call waits. */
export interface ProvisioningRunner {
  /** `ended`: the batch is complete. `gave up`: it may still be running, or never started. */
  run(batch: BatchReference): Promise<'ended' | 'gave up'>;
}
