import type { ErrorClass } from '../webhooks/attempts';
import { wasLate } from '../webhooks/lateDeliveries';
import { responseCodeConditions } from '../webhooks/responseCodes';
import { openStatuses, type DeliveryStatus, type EndReason } from '../webhooks/deliveryStatus';
import type { Sql } from '../../statement';
import { maxCount } from './counts';
import { lastAttempt, lastAttemptColumns, type LastAttempt } from './lastAttempt';

/** A delivery in a list; `at` is the time by which the list is ordered. */
export interface ListedDelivery extends LastAttempt {
  id: string;
  institution_id: string;
  endpoint_id: string;
  endpoint_url: string;
  endpoint_description: string | null;
  event_id: string;
  event_type: string;
  status: DeliveryStatus;
  cycle: number;
  attempts: number;
  response_code: number | null;
  error_class: ErrorClass | null;
  next_attempt_at: Date | null;
  deadline_at: Date | null;
  delivered_at: Date | null;
  /** When and why it ended, if no attempt ended it. */
  ended_at: Date | null;
  end_reason: EndReason | null;
  created_at: Date;
  at: Date;
}

/** Status filters of a list; `open` is pending, retrying or held. */
export type ListedStatus = DeliveryStatus | 'open';

/** The filters of a list of deliveries; undefined ones do not restrict. */
export interface ListedFilter {
  institutionId: string;
  status: ListedStatus | undefined;
  endpointId: string | undefined;
  eventType: string | undefined;
  /** A status code of the last response, or a class such as `5xx`. */
  responseCode: string | undefined;
  errorClass: ErrorClass | undefined;
  /** The recovery or replay of dead deliveries that sent them, or the ref of a single replay. */
  sentBy?: string | undefined;
  /** Those that were delivered late, where it is true. */
  late: boolean;
  since: Date | undefined;
  until: Date | undefined;
}

/** A position in a list: the time by which it is ordered, and the id. */
export interface ListCursor {
  at: Date;
  id: string;
}

/** One page of a list: its rows, and the position of the next page, if there may be more. */
export interface DeliveryList {
  rows: ListedDelivery[];
  next: ListCursor | undefined;
  /** False if the maximum number of rows was scanned before the page was full. */
  complete: boolean;
}

/** Maximum number of rows that a page scans for matches. */
const maxRowsScanned = { listing: 20_000, open: 2_000 };

const columns = 'd.id, d.institution_id, d.endpoint_id, d.event_id, d.event_type, d.status, d.cycle, d.attempts, d.response_code, d.error_class, d.next_attempt_at, d.deadline_at, d.delivered_at, d.ended_at, d.end_reason, d.created_at';

/** Numbers parameters in the order in which they are added. */
function parameters(): { values: unknown[]; add: (value: unknown) => string } {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

type Add = (value: unknown) => string;

/** Conditions on the time by which a list is ordered. */
function within(column: string, { since, until }: ListedFilter, after: ListCursor | undefined, add: Add): string[] {
  return [
    ...(since === undefined ? [] : [`${column} >= ${add(since)}`]),
    ...(until === undefined ? [] : [`${column} < ${add(until)}`]),
    ...(after === undefined ? [] : [`(${column}, d.id) < (${add(after.at)}, ${add(after.id)})`]),
  ];
}

/** By the index of the institution's deliveries, or of its dead ones. */
function listing(filter: ListedFilter, after: ListCursor | undefined, limit: string, add: Add): string {
  const conditions = [
    `d.institution_id = ${add(filter.institutionId)}`,
    ...(filter.status === 'dead' ? ["d.status = 'dead'"] : []),
    ...(filter.sentBy === undefined ? [] : [`d.id IN (SELECT r.delivery_id FROM webhook_replays r WHERE r.institution_id = ${add(filter.institutionId)} AND r.ref = ${add(filter.sentBy)})`]),
    ...within('d.created_at', filter, after, add),
  ];
  return `SELECT ${columns}, d.created_at AS at FROM deliveries d
    WHERE ${conditions.join(' AND ')} ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}`;
}

/** Open deliveries are indexed by endpoint, in the order of the events. */
function open(filter: ListedFilter, statuses: readonly string[], after: ListCursor | undefined, limit: string, add: Add): string {
  const endpoints = [
    `e.institution_id = ${add(filter.institutionId)} AND e.deleted_at IS NULL`,
    ...(filter.endpointId === undefined ? [] : [`e.id = ${add(filter.endpointId)}`]),
  ];
  const times = within('d.event_created_at', filter, after, add);
  const selects = statuses.map((status) => `(SELECT ${columns}, d.event_created_at AS at FROM open_deliveries d
    WHERE ${['d.endpoint_id = e.id', `d.status = '${status}'`, ...times].join(' AND ')} ORDER BY d.event_created_at DESC, d.id DESC LIMIT ${limit})`);
  return `SELECT o.* FROM webhook_endpoints e CROSS JOIN LATERAL (${selects.join(' UNION ALL ')}) o
    WHERE ${endpoints.join(' AND ')} ORDER BY o.at DESC, o.id DESC LIMIT ${limit}`;
}

/** The open statuses among which a list looks; undefined if it looks elsewhere. */
function openStatusesOf(status: ListedStatus | undefined): readonly string[] | undefined {
  if (status === 'open') return openStatuses;
  const listed = openStatuses.find((open) => open === status);
  return listed && [listed];
}

/** A search by a filter: the rows that it scans, in the order of the list, and the conditions on a scanned row `l`. */
interface Search {
  scanned: (limit: string, add: Add) => string;
  rest: readonly string[];
  /** How many rows it scans at most. */
  scanLimit: number;
}

/** Returns how a page of so many rows, after a position, is searched; conditions take their values by `add`. */
function searchFor(filter: ListedFilter, after: ListCursor | undefined, wanted: number, add: Add): Search {
  // What one replay sent is found by its ref, in any status.
  const statuses = filter.sentBy === undefined ? openStatusesOf(filter.status) : undefined;
  const listed = statuses === undefined && filter.status !== 'dead' ? filter.status : undefined;
  const rest = [
    ...(listed === undefined ? [] : [`l.status = ANY (${add(listed === 'open' ? openStatuses : [listed])}::text[])`]),
    ...(statuses !== undefined || filter.endpointId === undefined ? [] : [`l.endpoint_id = ${add(filter.endpointId)}`]),
    ...(filter.eventType === undefined ? [] : [`l.event_type = ${add(filter.eventType)}`]),
    ...responseCodeConditions('l.response_code', filter.responseCode).map(({ sql: text, value }) => text.replace('$', add(value))),
    // A delivered one has none; the release before left that of an earlier attempt.
    ...(filter.errorClass === undefined ? [] : [`l.error_class = ${add(filter.errorClass)} AND l.status <> 'delivered'`]),
    ...(filter.late ? [wasLate('l')] : []),
  ];
  return {
    scanned: (limit, addValue) => (statuses === undefined ? listing(filter, after, limit, addValue) : open(filter, statuses, after, limit, addValue)),
    rest,
    scanLimit: rest.length === 0 ? wanted : statuses === undefined ? maxRowsScanned.listing : maxRowsScanned.open,
  };
}

/**
 * Returns one page of an institution's deliveries, newest first, after a position. Scans an index, up to a maximum number of
 * rows: a page that is not full then has the position to continue from.
 */
export async function readDeliveryPage(sql: Sql, filter: ListedFilter, after: ListCursor | undefined, limit: number): Promise<DeliveryList> {
  const { values, add } = parameters();
  const search = searchFor(filter, after, limit + 1, add);
  const { rest } = search;
  const matching = `SELECT l.*, w.url AS endpoint_url, w.description AS endpoint_description FROM (${search.scanned(add(search.scanLimit), add)}) l JOIN webhook_endpoints w ON w.id = l.endpoint_id
    ${rest.length === 0 ? '' : `WHERE ${rest.join(' AND ')}`} ORDER BY l.at DESC, l.id DESC LIMIT ${add(limit + 1)}`;
  const withAttempts = `SELECT m.*, ${lastAttemptColumns}
    FROM (${matching}) m LEFT JOIN LATERAL (${lastAttempt('m')}) last ON true ORDER BY m.at DESC, m.id DESC`;
  const found = await sql<ListedDelivery>(withAttempts, values);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (found.length > limit && last !== undefined) return { rows, next: { at: last.at, id: last.id }, complete: true };
  return rest.length === 0 ? { rows, next: undefined, complete: true } : { rows, ...(await endOfScan(sql, search)) };
}

/** The last scanned position, if the maximum number of rows was scanned. */
async function endOfScan(sql: Sql, { scanned, scanLimit }: Search): Promise<Pick<DeliveryList, 'next' | 'complete'>> {
  const { values, add } = parameters();
  const [end] = await sql<ListCursor>(`SELECT l.at, l.id FROM (${scanned(add(scanLimit), add)}) l ORDER BY l.at DESC, l.id DESC OFFSET ${add(scanLimit - 1)}`, values);
  return { next: end, complete: end === undefined };
}

/** The deliveries of a list together, counted up to 1,001; null without any, or without any that was delivered. */
export interface DeliverySummary {
  count: number;
  first_created_at: Date | null;
  last_created_at: Date | null;
  first_delivered_at: Date | null;
  last_delivered_at: Date | null;
  /** The longest time from the creation to the delivery. */
  longest_ms: number | null;
  /** False if the maximum number of rows was scanned: there may be more. */
  complete: boolean;
}

/** Returns what the newest 1,001 deliveries of a list are together, among as many rows as a page scans. */
export async function summarizeDeliveries(sql: Sql, filter: ListedFilter): Promise<DeliverySummary | undefined> {
  const { values, add } = parameters();
  const { scanned, rest, scanLimit } = searchFor(filter, undefined, maxCount + 1, add);
  const limit = add(scanLimit);
  const [row] = await sql<DeliverySummary>(
    `WITH scanned AS MATERIALIZED (${scanned(limit, add)})
     SELECT count(*)::int AS count, min(m.created_at) AS first_created_at, max(m.created_at) AS last_created_at,
            min(m.delivered_at) AS first_delivered_at, max(m.delivered_at) AS last_delivered_at,
            (extract(epoch FROM max(m.delivered_at - m.created_at)) * 1000)::float8 AS longest_ms, (SELECT count(*) FROM scanned) < ${limit}::int AS complete
       FROM (SELECT l.created_at, l.delivered_at FROM scanned l ${rest.length === 0 ? '' : `WHERE ${rest.join(' AND ')}`} ORDER BY l.at DESC, l.id DESC LIMIT ${maxCount + 1}) m`,
    values,
  );
  return row;
}
