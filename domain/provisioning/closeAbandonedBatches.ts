import { openBatchesBefore } from '../../db/repositories/provisioning/batches';
import { onClock } from '../clock';
import type { Domain } from '../context';
import { transact } from '../transact';
import { abandonedBefore } from './batch';
import { closeBatch } from './endBatch';

/** Closes batches whose call ended early (its process was killed); returns how many. */
export async function closeAbandonedBatches(domain: Domain, now: Date): Promise<number> {
  const abandoned = await openBatchesBefore(domain.database.sql, abandonedBefore(now));
  for (const { id, institution_id: institutionId, clockOffsetMs } of abandoned) {
    await transact(domain, { institutionId, now: onClock({ clockOffsetMs }, now) }, (tx) => closeBatch(tx, id));
  }
  return abandoned.length;
}
