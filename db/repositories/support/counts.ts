/** No count of the support console goes further: what is beyond is said as "1,000+". */
export const countedUpTo = 1_000;

const few = (text: string): string => `(${text} LIMIT ${countedUpTo + 1})`;

/**
 * The open deliveries of an endpoint `e` by status, each branch by an index of its own and no further than is counted.
 * Claimed ones are few in the whole database.
 */
export const openOfEndpoint = [
  few("SELECT d.status FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'retrying'"),
  few("SELECT d.status FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'held'"),
  few("SELECT d.status FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.claimed_by IS NULL"),
  few("SELECT d.status FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.claimed_by IS NOT NULL"),
].join(' UNION ALL ');

/** How many rows a query has, counted up to one more than is told. */
export const counted = (rows: string): string => `(SELECT count(*)::int FROM (${rows} LIMIT ${countedUpTo + 1}) counted)`;
