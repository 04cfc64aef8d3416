export const deliveryStatuses = ['pending', 'retrying', 'held', 'delivered', 'dead', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The states in which a delivery still waits for an attempt or is in one. */
export const openStatuses = ['pending', 'retrying', 'held'] as const satisfies readonly DeliveryStatus[];

/** From so many days on a delivery is given up that is held. */
export const maxHeldDays = 30;

/** Why a delivery ended without an attempt that ended it, and the status that it has then. */
export const finalStatusByReason = {
  deadline: 'dead',
  held_too_long: 'dead',
  endpoint_disabled: 'dead',
  event_pruned: 'dead',
  endpoint_deleted: 'cancelled',
  cancelled: 'cancelled',
} as const satisfies Record<string, DeliveryStatus>;

export type EndReason = keyof typeof finalStatusByReason;

/** Returns what changes as a delivery ends without an attempt, as SQL by column; `now` is SQL, by the clock of its institution. */
export const endedWithoutAttempt = (reason: EndReason, now: string): { status: string; end_reason: string; ended_at: string } =>
  ({ status: `'${finalStatusByReason[reason]}'`, end_reason: `'${reason}'`, ended_at: now });
