/** Counts of the support console stop here; more is shown as "1,000+". */
export const maxCount = 1_000;

const limited = (text: string): string => `(${text} LIMIT ${maxCount + 1})`;

/** The open deliveries of an endpoint `e` by status; each branch uses an index and stops at the limit. */
export const openOfEndpoint = [
  limited("SELECT d.status FROM open_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'retrying'"),
  limited("SELECT d.status FROM open_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'held'"),
  limited("SELECT d.status FROM open_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'pending'"),
].join(' UNION ALL ');

/** Returns SQL that counts the rows of a query, up to one more than the limit. */
export const counted = (rows: string): string => `(SELECT count(*)::int FROM (${rows} LIMIT ${maxCount + 1}) counted)`;
