/** The beginning of the response to an attempt: its first 200 characters. */
export const responseStart = 'left(response_body, 200)';

/** The last attempt of a delivery; nulls without one. */
export interface LastAttempt {
  /** Of the present cycle alone. */
  last_began_at: Date | null;
  last_ended_at: Date | null;
  last_error: string | null;
  /** The first 200 characters of the response. */
  last_response_start: string | null;
  /** Of the last one, also if the delivery was replayed after it. */
  last_cycle: number | null;
  last_response_code: number | null;
}

/** The columns of {@link LastAttempt}, of its subquery `last`. */
export const lastAttemptColumns = 'last.began_at AS last_began_at, last.ended_at AS last_ended_at, last.error AS last_error, last.response_start AS last_response_start, last.cycle AS last_cycle, last.response_code AS last_response_code';

/** Returns the subquery of the last attempt of a delivery with this alias. */
export const lastAttempt = (delivery: string): string => {
  const isOwn = `a.cycle = ${delivery}.cycle`;
  return `SELECT CASE WHEN ${isOwn} THEN a.started_at END AS began_at, CASE WHEN ${isOwn} THEN a.started_at + a.duration_ms * interval '1 millisecond' END AS ended_at,
       CASE WHEN ${isOwn} THEN a.error END AS error, CASE WHEN ${isOwn} THEN ${responseStart} END AS response_start, a.cycle, a.response_code
     FROM webhook_attempts a WHERE a.delivery_id = ${delivery}.id AND a.number = ${delivery}.attempts`;
};
