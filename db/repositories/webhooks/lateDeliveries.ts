/** From this delay on, in ms, a delivery is called late. */
export const lateMs = 60_000;

/** Returns SQL of whether a delivery was late: in its first cycle, from its creation on. When a replay was asked for is no part of its row. */
export const wasLate = (delivery: string): string => `coalesce(${delivery}.cycle = 1 AND ${delivery}.delivered_at - ${delivery}.created_at >= interval '${lateMs} milliseconds', false)`;
