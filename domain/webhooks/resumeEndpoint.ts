import { EndpointEntity } from '../../db/entities/endpoint';
import { releaseHeldDeliveries, releaseInstitutionDeliveries } from '../../db/repositories/openDeliveries';
import type { Transaction } from '../context';
import { wakeBacklogs } from './endDeliveries';

/** The fields of an endpoint that a resume writes. */
export type Resumed = Pick<EndpointEntity, 'status' | 'pausedAt' | 'disabledReason' | 'consecutiveFailures' | 'failingSince'>;

/**
 * Brings a paused or disabled endpoint back, its row locked by the caller: what was held goes out, oldest first,
 * with deadlines moved by the pause. A disabled one begins without its failures; a paused one keeps count, and its
 * circuit, which is probed at once. Answers what was written.
 */
export async function resumeEndpoint(tx: Transaction, endpoint: EndpointEntity): Promise<Resumed> {
  const wasDisabled = endpoint.status === 'disabled';
  const resumed: Resumed = {
    status: 'active',
    pausedAt: null,
    disabledReason: null,
    consecutiveFailures: wasDisabled ? 0 : endpoint.consecutiveFailures,
    failingSince: wasDisabled ? null : endpoint.failingSince,
  };
  await tx.manager.update(EndpointEntity, { id: endpoint.id, institutionId: tx.institutionId }, { ...resumed, updatedAt: tx.now });
  await releaseHeldDeliveries(tx, endpoint.id, endpoint.pausedAt ?? tx.now, tx.now);
  await letGo(tx, endpoint.id);
  return resumed;
}

/** Lets go what was held while the institution was suspended, its row locked by the caller; paused endpoints keep theirs. */
export async function resumeInstitution(tx: Transaction, suspendedAt: Date): Promise<void> {
  await releaseInstitutionDeliveries(tx, suspendedAt, tx.now);
  await letGo(tx, null);
}

async function letGo(tx: Transaction, endpointId: string | null): Promise<void> {
  await wakeBacklogs(tx, endpointId);
  tx.wake();
}
