import type { InstitutionScope } from '../../db/database';
import { findDeliveryEnd, type AttemptRow, type DeliveryRow } from '../../db/repositories/webhooks/deliveries';
import { deliveryEnd, type DeliveryEnd } from './deliveryEnd';

/** Returns why and when a delivery ended, by its attempts in order; undefined if it is open or delivered. */
export async function readDeliveryEnd(scope: InstitutionScope, delivery: DeliveryRow, attempts: readonly AttemptRow[]): Promise<DeliveryEnd | undefined> {
  if (delivery.status !== 'dead' && delivery.status !== 'cancelled') return undefined;
  const stored = await findDeliveryEnd(scope, delivery.id);
  if (stored === undefined) return undefined;
  const last = attempts.findLast(({ cycle }) => cycle === stored.cycle);
  return deliveryEnd({
    ...delivery,
    ...stored,
    last_began_at: last?.started_at ?? null,
    last_ended_at: last === undefined ? null : new Date(last.started_at.getTime() + last.duration_ms),
    last_error: last?.error ?? null,
  });
}
