import { openStatuses as open, type DeliveryStatus } from '../../db/repositories/webhooks/deliveryStatus';
import type { EndpointStatus } from '../../db/entities/endpoint';

/** The states a delivery may go to from each state; what has ended opens again by a replay alone. */
export const deliveryTransitions: Record<DeliveryStatus, readonly DeliveryStatus[]> = {
  pending: ['retrying', 'held', 'delivered', 'dead', 'cancelled'],
  retrying: ['held', 'delivered', 'dead', 'cancelled'],
  held: ['pending', 'retrying', 'delivered', 'dead', 'cancelled'],
  delivered: ['pending'],
  dead: ['pending'],
  cancelled: ['pending'],
};

/** The states in which a delivery still waits for an attempt or is in one. */
export const openStatuses: ReadonlySet<DeliveryStatus> = new Set<DeliveryStatus>(open);

/** The states an endpoint may go to from each state; a disabled one comes back by `active` alone. */
export const endpointTransitions: Record<EndpointStatus, readonly EndpointStatus[]> = {
  active: ['paused', 'disabled'],
  paused: ['active', 'disabled'],
  disabled: ['active'],
};

/** Whether the state table of endpoints has this step; staying where one is is no step. */
export function canTransitionEndpoint(from: EndpointStatus, to: EndpointStatus): boolean {
  return endpointTransitions[from].includes(to);
}
