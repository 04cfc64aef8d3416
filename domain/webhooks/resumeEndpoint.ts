import type { EndpointEntity } from '../../db/entities/endpoint';
import { moveDeliveries, wakeBacklogs } from '../../db/repositories/webhooks/backlog';
import { resumeClocks, pauseClocks } from '../../db/repositories/webhooks/clockPauses';
import { updateEndpointRow } from '../../db/repositories/webhooks/endpoints';
import type { Transaction } from '../context';

/** The fields of an endpoint that a resume writes. */
export type ResumedFields = Pick<EndpointEntity, 'status' | 'pausedAt' | 'disabledReason' | 'consecutiveFailures' | 'failingSince'>;

/** Maximum number of chunks released by the command; the backlog releases the remaining deliveries. */
const maxChunks = 5;

/**
 * Resumes a paused or disabled endpoint, with institution and endpoint locked by the caller, and returns the written
 * fields: held deliveries are released, oldest first, with deadlines extended by the pause. A disabled endpoint starts
 * without failures; a paused one keeps its count and its circuit, which is probed immediately. While the institution is
 * suspended its clock stays paused.
 */
export async function resumeEndpoint(tx: Transaction, endpoint: EndpointEntity): Promise<ResumedFields> {
  const wasDisabled = endpoint.status === 'disabled';
  const resumed: ResumedFields = {
    status: 'active',
    pausedAt: null,
    disabledReason: null,
    consecutiveFailures: wasDisabled ? 0 : endpoint.consecutiveFailures,
    failingSince: wasDisabled ? null : endpoint.failingSince,
  };
  await updateEndpointRow(tx, endpoint.id, resumed, tx.now);
  await pauseClocks(tx, endpoint.id, tx.now);
  await resumeDeliveries(tx, endpoint.id);
  return resumed;
}

/** Releases the deliveries held while the institution, locked by the caller, was suspended; paused endpoints keep theirs. */
export function resumeInstitutionDeliveries(tx: Transaction): Promise<void> {
  return resumeDeliveries(tx, null);
}

async function resumeDeliveries(tx: Transaction, endpointId: string | null): Promise<void> {
  const resumed = await resumeClocks(tx, endpointId, tx.now);
  for (const id of resumed) await moveDeliveries(tx.sql, 'release', id, tx.now, { atMost: maxChunks });
  await wakeBacklogs(tx.sql, resumed, tx.now);
  tx.wake();
}
