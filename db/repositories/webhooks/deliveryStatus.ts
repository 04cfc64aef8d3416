export type DeliveryStatus = 'pending' | 'retrying' | 'held' | 'delivered' | 'dead' | 'cancelled';

/** The states in which a delivery still waits for an attempt or is in one. */
export const openStatuses = ['pending', 'retrying', 'held'] as const satisfies readonly DeliveryStatus[];
