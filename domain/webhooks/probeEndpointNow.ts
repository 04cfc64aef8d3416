import { probeAtOnce } from '../../db/repositories/webhooks/backlog';
import type { Transaction } from '../context';

/**
 * Has the oldest held delivery of an open circuit tried at once, because somebody says or has shown that the receiver works again:
 * it accepted a test, the endpoint was set active, or its deliveries are sent again. No-op for any other endpoint.
 */
export async function probeEndpointNow(tx: Transaction, endpointId: string): Promise<void> {
  await probeAtOnce(tx, endpointId);
  tx.wake();
}
