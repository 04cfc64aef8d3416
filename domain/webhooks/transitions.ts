import { openStatuses as open, type DeliveryStatus } from '../../db/repositories/webhooks/deliveryStatus';
import type { EndpointStatus } from '../../db/entities/endpoint';

/** The statuses that a delivery can change to from each status; an ended delivery opens again only by a replay. */
export const deliveryTransitions: Record<DeliveryStatus, readonly DeliveryStatus[]> = {
  pending: ['retrying', 'held', 'delivered', 'dead', 'cancelled'],
  retrying: ['held', 'delivered', 'dead', 'cancelled'],
  held: ['pending', 'retrying', 'delivered', 'dead', 'cancelled'],
  delivered: ['pending'],
  dead: ['pending'],
  cancelled: ['pending'],
};

/** The statuses in which a delivery waits for an attempt or is being attempted. */
export const openStatuses: ReadonlySet<DeliveryStatus> = new Set<DeliveryStatus>(open);

/** The statuses that an endpoint can change to from each status; a disabled one can only become `active`. */
export const endpointTransitions: Record<EndpointStatus, readonly EndpointStatus[]> = {
  active: ['paused', 'disabled'],
  paused: ['active', 'disabled'],
  disabled: ['active'],
};
