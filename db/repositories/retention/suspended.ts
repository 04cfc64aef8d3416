import type { InstitutionScope } from '../../database';
import type { Sql } from '../../statement';

/*
 * People who are suspended for longer than their institution keeps them. These statements are not prepared by name: they run once a
 * day. The admin and people who are erased are not among them, nor is anybody of an institution that leaves: all of it is erased.
 */

const due = (institution: string, before: string): string =>
  `u.institution_id = ${institution} AND u.status = 'suspended' AND u.erased_at IS NULL AND u.suspended_at < ${before} AND u.kind IN ('student', 'faculty') AND NOT u.is_admin`;

const institutions =
  `SELECT r.institution_id AS id FROM institution_retention r JOIN institutions i ON i.id = r.institution_id
    WHERE r.suspended_days IS NOT NULL AND i.read_only_until IS NULL AND i.erasing_since IS NULL AND r.institution_id > $2
      AND EXISTS (SELECT 1 FROM users u WHERE ${due('r.institution_id', '$1::timestamptz - make_interval(days => r.suspended_days)')})
    ORDER BY r.institution_id LIMIT $3`;

/** Returns institutions with people who are suspended for longer than they keep them, by id after `afterId` ('' for the first). */
export async function institutionsWithSuspended(sql: Sql, now: Date, afterId: string, limit: number): Promise<string[]> {
  return (await sql<{ id: string }>(institutions, [now, afterId, limit])).map(({ id }) => id);
}

/** A person to be erased. */
export interface SuspendedRow {
  id: string;
  kind: 'student' | 'faculty';
}

const people = `SELECT u.id, u.kind FROM users u WHERE ${due('$1', '$2::timestamptz')} ORDER BY u.suspended_at, u.id LIMIT $3`;

/** Returns at most `limit` people who are suspended since before a time. */
export function listSuspended(scope: Pick<InstitutionScope, 'institutionId' | 'sql'>, before: Date, limit: number): Promise<SuspendedRow[]> {
  return scope.sql<SuspendedRow>(people, [scope.institutionId, before, limit]);
}

const lock = `SELECT 1 FROM users u WHERE ${due('$1', '$2::timestamptz')} AND u.id = $3 FOR NO KEY UPDATE`;

/** Locks a person; returns whether they are still suspended since before a time. */
export async function lockSuspended(scope: InstitutionScope, id: string, before: Date): Promise<boolean> {
  return (await scope.sql(lock, [scope.institutionId, before, id])).length > 0;
}
