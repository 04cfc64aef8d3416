import type { InstitutionScope } from '../../database';
import type { Sql } from '../../statement';
import type { RetentionPeriodsRow } from './periods';

/*
 * What is recorded of exams: the files of recordings, and the details of proctoring events. These statements are not prepared
 * by name: they run once a day over large tables, and each deserves a plan of its own.
 */

// A submission that is not graded keeps its recordings, which may be needed for grading. Ended is a condition of the index.
const dueRecordings = (institution: string, before: string): string =>
  `a.institution_id = ${institution} AND a.ended_at < ${before} AND a.recordings_removed_at IS NULL
   AND CASE WHEN s.id IS NULL THEN a.ended_at ELSE greatest(s.graded_at, s.voided_at) END < ${before}`;
const dueDetails = (institution: string, before: string): string => `a.institution_id = ${institution} AND a.ended_at < ${before} AND a.details_removed_at IS NULL`;

const withSubmission = 'attempts a LEFT JOIN submissions s ON s.attempt_id = a.id';
const before = (days: string): string => `$1::timestamptz - make_interval(days => ${days})`;

const withTraces =
  `SELECT i.id FROM institutions i LEFT JOIN institution_retention r ON r.institution_id = i.id
    WHERE i.id > $2
      AND (EXISTS (SELECT 1 FROM ${withSubmission} WHERE ${dueRecordings('i.id', before('coalesce(r.recording_days, $4)'))})
        OR EXISTS (SELECT 1 FROM attempts a WHERE ${dueDetails('i.id', before('coalesce(r.proctoring_days, $5)'))}))
    ORDER BY i.id LIMIT $3`;

/** Returns institutions with recordings or details older than they keep them, by id after `afterId` ('' for the first). */
export async function institutionsWithTraces(sql: Sql, now: Date, defaults: RetentionPeriodsRow, afterId: string, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }>(withTraces, [now, afterId, limit, defaults.recording_days, defaults.proctoring_days]);
  return rows.map(({ id }) => id);
}

const attemptsWithRecordings = `SELECT a.id FROM ${withSubmission} WHERE ${dueRecordings('$1', '$2::timestamptz')} ORDER BY a.ended_at, a.id LIMIT $3`;
const attemptsWithDetails = `SELECT a.id FROM attempts a WHERE ${dueDetails('$1', '$2::timestamptz')} ORDER BY a.ended_at, a.id LIMIT $3`;

/** Returns the ids of at most `limit` attempts whose recordings are not kept beyond a time. */
export async function listAttemptsWithRecordings(scope: InstitutionScope, until: Date, limit: number): Promise<string[]> {
  return (await scope.sql<{ id: string }>(attemptsWithRecordings, [scope.institutionId, until, limit])).map(({ id }) => id);
}

/** Returns the ids of at most `limit` attempts whose proctoring details are not kept beyond a time. */
export async function listAttemptsWithDetails(scope: InstitutionScope, until: Date, limit: number): Promise<string[]> {
  return (await scope.sql<{ id: string }>(attemptsWithDetails, [scope.institutionId, until, limit])).map(({ id }) => id);
}

const without = (due: string, left: string): string => `SELECT due.id FROM (${due}) due WHERE NOT EXISTS (SELECT 1 FROM ${left})`;
const withoutRecordings = without(attemptsWithRecordings, "files f WHERE f.institution_id = $1 AND f.attempt_id = due.id AND f.kind = 'recording' AND f.status = 'stored'");
const withoutDetails = without(attemptsWithDetails, 'attempt_events e WHERE e.institution_id = $1 AND e.attempt_id = due.id AND e.detail IS NOT NULL');

/** Marks those of the first `looked` due attempts that have no recordings, which is most of them; returns how many. */
export async function markWithoutRecordings(scope: InstitutionScope, until: Date, looked: number, now: Date): Promise<number> {
  const ids = (await scope.sql<{ id: string }>(withoutRecordings, [scope.institutionId, until, looked])).map(({ id }) => id);
  if (ids.length > 0) await scope.sql(markRecordings, [scope.institutionId, ids, now]);
  return ids.length;
}

/** The same of proctoring details. */
export async function markWithoutDetails(scope: InstitutionScope, until: Date, looked: number, now: Date): Promise<number> {
  const ids = (await scope.sql<{ id: string }>(withoutDetails, [scope.institutionId, until, looked])).map(({ id }) => id);
  if (ids.length > 0) await scope.sql(markDetails, [scope.institutionId, ids, now]);
  return ids.length;
}

const removeFiles = "UPDATE files SET status = 'removed', updated_at = $3 WHERE institution_id = $1 AND attempt_id = ANY ($2::text[]) AND kind = 'recording' AND status = 'stored' RETURNING 1";
const markRecordings = 'UPDATE attempts SET recordings_removed_at = $3 WHERE institution_id = $1 AND id = ANY ($2::text[])';

/** Marks the recordings of attempts as removed, so that nobody gets a URL and housekeeping deletes the files; returns how many. */
export async function removeRecordings(scope: InstitutionScope, attemptIds: readonly string[], now: Date): Promise<number> {
  const removed = await scope.sql(removeFiles, [scope.institutionId, attemptIds, now]);
  await scope.sql(markRecordings, [scope.institutionId, attemptIds, now]);
  return removed.length;
}

const removeDetails = 'UPDATE attempt_events SET detail = NULL WHERE institution_id = $1 AND attempt_id = ANY ($2::text[]) AND detail IS NOT NULL RETURNING 1';
const markDetails = 'UPDATE attempts SET details_removed_at = $3 WHERE institution_id = $1 AND id = ANY ($2::text[])';

/** Removes the details of the proctoring events of attempts; types, times and counts stay. Returns how many. */
export async function removeProctoringDetails(scope: InstitutionScope, attemptIds: readonly string[], now: Date): Promise<number> {
  const removed = await scope.sql(removeDetails, [scope.institutionId, attemptIds]);
  await scope.sql(markDetails, [scope.institutionId, attemptIds, now]);
  return removed.length;
}
