import { institutionScope } from '../../db/database';
import { readBatchRows, type BatchRow } from '../../db/repositories/provisioning/batches';
import { unaudited } from '../audit/auditedCall';
import type { Caller, Domain } from '../context';
import { DomainError } from '../errors';
import { transact } from '../transact';
import { closeBatch } from './endBatch';
import { openBatch, type BatchItem } from './openBatch';

/**
 * Handles a bulk call (section Students, POST /students/bulk): stores the batch, runs it, and returns its rows in input
 * order, each created or with its error. A run that did not finish in time is closed first, so that the response stays
 * true; `internal_error` if it created no student. Holds no transaction while it waits.
 */
export async function provisionInBulk(domain: Domain, caller: Caller, items: readonly BatchItem[]): Promise<BatchRow[]> {
  const { open, ...batch } = await transact(domain, caller, (tx) => openBatch(tx, items));
  const ended = open === 0 ? 'ended' : await domain.provisioning.run(batch);
  if (ended === 'gave up') await transact(domain, unaudited(caller), (tx) => closeBatch(tx, batch.batchId));
  const rows = await readBatchRows(institutionScope(domain.database, caller.institutionId), batch.batchId);
  requireAnyCreated(rows);
  return rows;
}

function requireAnyCreated(rows: readonly BatchRow[]): void {
  const givenUp = rows.some((row) => row.user_id === null && row.error === 'internal_error');
  if (givenUp && rows.every(({ user_id: id }) => id === null)) {
    throw new DomainError('internal_error', 'None of the students was created in time, and none will be created later.');
  }
}
