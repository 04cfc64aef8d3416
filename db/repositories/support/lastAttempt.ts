/** The last attempt of a delivery's present cycle; nulls without one. */
export interface LastAttempt {
  last_began_at: Date | null;
  last_ended_at: Date | null;
  last_error: string | null;
}

/** Returns the subquery of the last attempt of a delivery with this alias. */
export const lastAttempt = (delivery: string): string =>
  `SELECT a.started_at AS began_at, a.started_at + a.duration_ms * interval '1 millisecond' AS ended_at, a.error
     FROM webhook_attempts a WHERE a.delivery_id = ${delivery}.id AND a.number = ${delivery}.attempts AND a.cycle = ${delivery}.cycle`;
