import { EndpointEntity } from '../../db/entities/endpoint';
import { releaseHeldDeliveries, releaseInstitutionDeliveries, type WaitingDelivery } from '../../db/repositories/endpoints';
import type { Transaction } from '../context';
import { deliveryWorkflowId } from '../owed/workflows';

/** The fields of an endpoint that a resume writes. */
export type Resumed = Pick<EndpointEntity, 'status' | 'pausedAt' | 'disabledReason' | 'consecutiveFailures'>;

/**
 * Brings a paused or disabled endpoint back, its row locked by the caller: what was held goes out, oldest first,
 * with deadlines moved by the pause. A disabled one begins without its failures; a paused one keeps count.
 * Answers what was written.
 */
export async function resumeEndpoint(tx: Transaction, endpoint: EndpointEntity): Promise<Resumed> {
  const consecutiveFailures = endpoint.status === 'disabled' ? 0 : endpoint.consecutiveFailures;
  const resumed: Resumed = { status: 'active', pausedAt: null, disabledReason: null, consecutiveFailures };
  await tx.manager.update(EndpointEntity, { id: endpoint.id, institutionId: tx.institutionId }, { ...resumed, updatedAt: tx.now });
  letGo(tx, await releaseHeldDeliveries(tx, endpoint.id, endpoint.pausedAt ?? tx.now, tx.now));
  return resumed;
}

/** Lets go what was held while the institution was suspended, its row locked by the caller; paused endpoints keep theirs. */
export async function resumeInstitution(tx: Transaction, suspendedAt: Date): Promise<void> {
  letGo(tx, await releaseInstitutionDeliveries(tx, suspendedAt, tx.now));
}

function letGo(tx: Transaction, waiting: readonly WaitingDelivery[]): void {
  for (const { id, cycle } of waiting) tx.signalWorkflow('resumed', deliveryWorkflowId(id, cycle), {});
  tx.wake();
}
