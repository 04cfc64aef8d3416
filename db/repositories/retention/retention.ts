import type { InstitutionScope } from '../../database';
import type { Sql } from '../../statement';
import { statusIsEnded, statusIsOpen } from '../webhooks/openDeliveries';

/*
 * These statements are not prepared by name: they run a few times a day over large tables, and each deserves a plan
 * of its own.
 */

/** A position in the order of creation; the next chunk begins after it. */
export interface RowPosition {
  createdAtMs: number;
  id: string;
}

const cursorStart = (after: RowPosition | null): [Date | '-infinity', string] =>
  after === null ? ['-infinity', ''] : [new Date(after.createdAtMs), after.id];

/** Returns the institutions with such a row: one index probe by institution and time each. */
const institutionsWith = (rows: string): string =>
  `SELECT i.id FROM institutions i CROSS JOIN LATERAL (SELECT 1 FROM ${rows} LIMIT 1) old WHERE i.id > $2 ORDER BY i.id LIMIT $3`;

const withEvents = institutionsWith('events WHERE institution_id = i.id AND created_at < $1');

/** Returns institutions with events created before a time, by id after `afterId` ('' for the first). */
export async function institutionsWithEventsBefore(sql: Sql, before: Date, afterId: string, limit: number): Promise<string[]> {
  return (await sql<{ id: string }>(withEvents, [before, afterId, limit])).map(({ id }) => id);
}

// Locked first: a replay takes a share lock of its event, so that it is either seen by the next statement, or waits and
// finds the event pruned. Events that are just being replayed are skipped.
const lockEvents =
  `SELECT id, created_at FROM events WHERE institution_id = $1 AND created_at < $2 AND created_at > $3
    ORDER BY created_at LIMIT $4 FOR UPDATE SKIP LOCKED`;

/** Locks the oldest events created before a time, after a position, at most `limit`. */
export function lockEventsBefore(
  scope: InstitutionScope,
  before: Date,
  after: RowPosition | null,
  limit: number,
): Promise<{ id: string; created_at: Date }[]> {
  const [createdAfter] = cursorStart(after);
  return scope.sql(lockEvents, [scope.institutionId, before, createdAfter, limit]);
}

// Queue and deliveries are read in one snapshot: an event that is just being fanned out is either in the queue or has
// deliveries.
const prune =
  `WITH pruned AS (
     DELETE FROM events e
      WHERE e.institution_id = $1 AND e.id = ANY ($2::text[])
        AND e.id NOT IN (SELECT event_id FROM event_queue WHERE institution_id = $1 AND created_at < $3)
        AND NOT EXISTS (SELECT 1 FROM open_deliveries d WHERE d.event_id = e.id AND d.${statusIsOpen})
     RETURNING e.type, e.created_at
   ), noted AS (
     INSERT INTO pruned_events (institution_id, type, pruned_until)
     SELECT $1, type, max(created_at) FROM pruned GROUP BY type ORDER BY type
     ON CONFLICT (institution_id, type) DO UPDATE SET pruned_until = greatest(pruned_events.pruned_until, excluded.pruned_until)
   )
   SELECT count(*)::int AS pruned FROM pruned`;

/**
 * Deletes those of the locked events, all created before `before`, that are fanned out and have no open delivery, and
 * records the newest pruned time of each type. Returns the number.
 */
export async function pruneEvents(scope: InstitutionScope, before: Date, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const [row] = await scope.sql<{ pruned: number }>(prune, [scope.institutionId, ids, before]);
  return row?.pruned ?? 0;
}

const withDeliveries = institutionsWith(
  `(SELECT 1 FROM webhook_deliveries WHERE institution_id = i.id AND created_at < $4 AND ${statusIsEnded}
    UNION ALL SELECT 1 FROM webhook_endpoints WHERE institution_id = i.id AND deleted_at < $1) leaving`,
);

/** Returns institutions with ended deliveries created, or endpoints deleted, before a time each, by id after `afterId` ('' for the first). */
export async function institutionsWithDeliveriesBefore(sql: Sql, created: Date, deleted: Date, afterId: string, limit: number): Promise<string[]> {
  return (await sql<{ id: string }>(withDeliveries, [deleted, afterId, limit, created])).map(({ id }) => id);
}

const deleteDeliveries =
  `WITH old AS (
     SELECT id, created_at FROM webhook_deliveries
      WHERE institution_id = $1 AND created_at < $2 AND (created_at, id) > ($3::timestamptz, $4) AND ${statusIsEnded}
      ORDER BY created_at, id LIMIT $5 FOR UPDATE SKIP LOCKED
   ), attempts AS (
     DELETE FROM webhook_attempts a USING old WHERE a.delivery_id = old.id
   ), replays AS (
     DELETE FROM webhook_replays r USING old WHERE r.delivery_id = old.id
   ), deliveries AS (
     DELETE FROM webhook_deliveries d USING old WHERE d.id = old.id
   )
   SELECT id, created_at FROM old ORDER BY created_at, id`;

/** Deletes the oldest ended deliveries created before a time, with their attempts and replays, after a position, at most `limit`. */
export function deleteDeliveriesBefore(
  scope: InstitutionScope,
  before: Date,
  after: RowPosition | null,
  limit: number,
): Promise<{ id: string; created_at: Date }[]> {
  return scope.sql(deleteDeliveries, [scope.institutionId, before, ...cursorStart(after), limit]);
}

// A deleted endpoint gets no new deliveries; those being inserted at its deletion are committed within an hour.
const deleteEndpoints =
  `DELETE FROM webhook_endpoints WHERE id = ANY (ARRAY(
     SELECT e.id FROM webhook_endpoints e
      WHERE e.institution_id = $1 AND e.deleted_at < $2
        AND NOT EXISTS (SELECT 1 FROM deliveries d
                         WHERE d.institution_id = $1 AND d.created_at < $2::timestamptz + interval '1 hour' AND d.endpoint_id = e.id)
      ORDER BY e.deleted_at LIMIT $3 FOR UPDATE SKIP LOCKED))
   RETURNING id`;

/**
 * Deletes the rows of endpoints that were deleted by their institution before a time and have no deliveries left, at most
 * `limit`; returns the number.
 */
export async function deleteEndpointsBefore(scope: InstitutionScope, before: Date, limit: number): Promise<number> {
  return (await scope.sql(deleteEndpoints, [scope.institutionId, before, limit])).length;
}

/** Returns a statement that deletes one chunk of a table by an index on a time; locked rows are skipped. */
const deleteChunk = (table: string, moment: string): string =>
  `DELETE FROM ${table} WHERE id IN (
     SELECT id FROM ${table} WHERE ${moment} < $1 ORDER BY ${moment} LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING id`;

const deleteSessions = deleteChunk('sessions', 'least(ended_at, expires_at)');
const deleteCodes = deleteChunk('sign_in_codes', 'created_at');
const deleteSeats = deleteChunk('seats', 'ended_at');

/** Deletes sessions of any institution that ended or expired before a time; returns the number. */
export async function deleteSessionsEndedBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteSessions, [before, limit])).length;
}

/** Deletes seats of any institution that ended before a time; returns the number. */
export async function deleteSeatsEndedBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteSeats, [before, limit])).length;
}

/** Deletes sign-in codes of any institution created before a time; returns the number. */
export async function deleteCodesCreatedBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteCodes, [before, limit])).length;
}

const deleteNotices =
  `WITH old AS (
     SELECT exam_id, number FROM exam_notices WHERE ended_at < $1 ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED
   ), recipients AS (
     DELETE FROM exam_notice_recipients r USING old WHERE r.exam_id = old.exam_id AND r.notice = old.number
   ), notices AS (
     DELETE FROM exam_notices n USING old WHERE n.exam_id = old.exam_id AND n.number = old.number
   )
   SELECT 1 FROM old`;

/** Deletes exam notices of any institution whose emails ended before a time, with their recipients; returns the number. */
export async function deleteNoticesEndedBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteNotices, [before, limit])).length;
}

const deleteReportEmails =
  `WITH old AS (
     SELECT institution_id, week FROM weekly_report_runs r
      WHERE ended_at < $1 AND EXISTS (SELECT 1 FROM weekly_report_letters l WHERE l.institution_id = r.institution_id AND l.week = r.week)
      LIMIT $2 FOR UPDATE SKIP LOCKED
   ), letters AS (
     DELETE FROM weekly_report_letters l USING old WHERE l.institution_id = old.institution_id AND l.week = old.week
   )
   SELECT 1 FROM old`;

/**
 * Deletes the emails of weeks of any institution that ended before a time; returns the number of weeks. The row that marks
 * the week as done stays.
 */
export async function deleteReportEmailsEndedBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteReportEmails, [before, limit])).length;
}

const deleteReports =
  `WITH old AS (
     SELECT institution_id, week FROM weekly_report_runs WHERE week < ($1::timestamptz AT TIME ZONE 'UTC')::date LIMIT $2 FOR UPDATE SKIP LOCKED
   ), letters AS (
     DELETE FROM weekly_report_letters l USING old WHERE l.institution_id = old.institution_id AND l.week = old.week
   ), reports AS (
     DELETE FROM weekly_reports r USING old WHERE r.institution_id = old.institution_id AND r.week = old.week
   ), runs AS (
     DELETE FROM weekly_report_runs r USING old WHERE r.institution_id = old.institution_id AND r.week = old.week
   )
   SELECT 1 FROM old`;

/**
 * Deletes the reports of weeks of any institution that began before a time's day in UTC, with the remaining rows of their
 * emails; returns the number of weeks.
 */
export async function deleteReportsOfWeeksBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteReports, [before, limit])).length;
}

// Uses the index on the day; no zone is more than one day ahead of UTC.
const deleteProgress =
  `DELETE FROM alpha_progress WHERE (student_id, ref) IN (
     SELECT student_id, ref FROM alpha_progress WHERE day <= ($1::timestamptz AT TIME ZONE 'UTC')::date + 1 AND created_at < $1
      ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING 1`;

/** Deletes progress reports of any institution created before a time; returns the number. */
export async function deleteProgressCreatedBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteProgress, [before, limit])).length;
}

const deleteBatches =
  `WITH old AS (
     SELECT id FROM provisioning_batches WHERE ended_at < $1 ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED
   ), rows AS (
     DELETE FROM provisioning_rows r USING old WHERE r.batch_id = old.id
   ), batches AS (
     DELETE FROM provisioning_batches b USING old WHERE b.id = old.id
   )
   SELECT id FROM old`;

/** Deletes provisioning batches of any institution that ended before a time, with their rows; returns the number. */
export async function deleteBatchesEndedBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteBatches, [before, limit])).length;
}
