export const deliveryStatuses = ['pending', 'retrying', 'held', 'delivered', 'dead', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The states in which a delivery still waits for an attempt or is in one. */
export const openStatuses = ['pending', 'retrying', 'held'] as const satisfies readonly DeliveryStatus[];
