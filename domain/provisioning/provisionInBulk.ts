import { institutionScope } from '../../db/database';
import { readBatch, readBatchRows, type BatchRow } from '../../db/repositories/provisioning/batches';
import { unaudited } from '../audit/auditedCall';
import { toRealTime } from '../clock';
import type { Caller, Domain, Transaction } from '../context';
import { DomainError } from '../errors';
import type { OnceResult } from '../idempotency/transactOnce';
import { transact } from '../transact';
import { closeBatch } from './endBatch';
import { openBatch, type BatchItem, type OpenedBatch } from './openBatch';

/** Opens the batch of a call, at most once for its idempotency key. */
type CommitBatch = (work: (tx: Transaction) => Promise<OpenedBatch>) => Promise<OnceResult<OpenedBatch>>;

/**
 * Handles a bulk call (section Students, POST /students/bulk): stores the batch, runs it, and returns its rows in input
 * order, each created or with its error. A run that did not finish in time is closed first, so that the response stays
 * true; `internal_error` if it created no student. Holds no transaction while it waits. The call's idempotency key names the
 * batch: a repeat waits for the same one, and begins it where the process of the first call died before.
 */
export async function provisionInBulk(domain: Domain, caller: Caller, commit: CommitBatch, items: readonly BatchItem[]): Promise<BatchRow[]> {
  const { result, replayed } = await commit((tx) => openBatch(tx, items, { hasIdempotencyKey: caller.idempotency !== undefined, realNow: toRealTime(caller, caller.now) }));
  const reads = institutionScope(domain.database, caller.institutionId);
  const { open, ...batch } = result;
  const isOpen = replayed ? (await readBatch(reads, batch.batchId)).status === 'open' : open > 0;
  const ended = isOpen ? await domain.provisioning.run(batch) : 'ended';
  if (ended === 'gave up') await transact(domain, unaudited(caller), (tx) => closeBatch(tx, batch.batchId));
  const rows = await readBatchRows(reads, batch.batchId);
  requireAnyCreated(rows);
  return rows;
}

function requireAnyCreated(rows: readonly BatchRow[]): void {
  const givenUp = rows.some((row) => row.user_id === null && row.error === 'internal_error');
  if (givenUp && rows.every(({ user_id: id }) => id === null)) {
    throw new DomainError('internal_error', 'None of the students was created in time, and none will be created later.');
  }
}
