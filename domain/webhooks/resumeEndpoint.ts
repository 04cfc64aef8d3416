import type { EndpointEntity } from '../../db/entities/endpoint';
import { moveDeliveries, wakeBacklogs } from '../../db/repositories/webhooks/backlog';
import { resumeClocks, pauseClocks } from '../../db/repositories/webhooks/clockPauses';
import { updateEndpointRow } from '../../db/repositories/webhooks/endpoints';
import type { Transaction } from '../context';

/** The fields of an endpoint that a resume writes. */
export type ResumedFields = Pick<EndpointEntity, 'status' | 'pausedAt' | 'disabledReason' | 'consecutiveFailures' | 'failingSince'>;

/** So many chunks are let go with the command; what is left then its backlog lets go. */
const maxChunks = 5;

/**
 * Brings a paused or disabled endpoint back, institution and endpoint locked by the caller: what was held goes out, oldest
 * first, with deadlines moved by the pause. A disabled one begins without its failures; a paused one keeps count, and its
 * circuit, which is probed at once. While the institution is suspended it goes on resting. Answers what was written.
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

/** Lets go what was held while the institution was suspended, its row locked by the caller; paused endpoints keep theirs. */
export function resumeInstitutionDeliveries(tx: Transaction): Promise<void> {
  return resumeDeliveries(tx, null);
}

async function resumeDeliveries(tx: Transaction, endpointId: string | null): Promise<void> {
  const resumed = await resumeClocks(tx, endpointId, tx.now);
  for (const id of resumed) await moveDeliveries(tx.sql, 'release', id, tx.now, { atMost: maxChunks });
  await wakeBacklogs(tx.sql, resumed, tx.now);
  tx.wake();
}
