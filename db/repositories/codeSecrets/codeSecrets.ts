import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

const set = statement(
  'code_secret_set',
  'UPDATE exams SET hidden_key_sealed = $3, hidden_key_set_at = $4, updated_at = greatest(updated_at, $4) WHERE institution_id = $1 AND id = $2 RETURNING id',
);

/** Sets or replaces an exam's encrypted hidden-test key; false if there is no such exam. */
export async function setCodeSecret(scope: InstitutionScope, examId: string, sealed: string, now: Date): Promise<boolean> {
  return (await scope.sql(set, [scope.institutionId, examId, sealed, now])).length > 0;
}

const read = statement('code_secret_read', 'SELECT hidden_key_sealed FROM exams WHERE institution_id = $1 AND id = $2 FOR KEY SHARE');

/** Returns an exam's encrypted hidden-test key, locked until the commit; null without one, undefined if there is no such exam. */
export async function readCodeSecret(scope: InstitutionScope, examId: string): Promise<string | null | undefined> {
  const [row] = await scope.sql<{ hidden_key_sealed: string | null }>(read, [scope.institutionId, examId]);
  return row?.hidden_key_sealed;
}

/** One release of a key: to a student's attempt, or to an API key. */
export interface ReleaseRow {
  attempt_id: string | null;
  student_id: string | null;
  /** `app`, or the id of the API key. */
  released_by: string;
  released_at: Date;
}

const release = statement(
  'code_secret_release',
  `INSERT INTO code_secret_releases (institution_id, exam_id, attempt_id, student_id, released_by, released_at) VALUES ($1, $2, $3, $4, $5, $6)`,
);

/** Records the release of a key. */
export async function recordRelease(scope: InstitutionScope, examId: string, row: ReleaseRow): Promise<void> {
  await scope.sql(release, [scope.institutionId, examId, row.attempt_id, row.student_id, row.released_by, row.released_at]);
}

const newest = statement(
  'code_secret_releases_newest',
  `SELECT attempt_id, student_id, released_by, released_at FROM code_secret_releases
    WHERE institution_id = $1 AND exam_id = $2 ORDER BY id DESC LIMIT $3`,
);

/** Returns the newest releases of an exam's key, at most `limit`. */
export function newestReleases(scope: InstitutionScope, examId: string, limit: number): Promise<ReleaseRow[]> {
  return scope.sql(newest, [scope.institutionId, examId, limit]);
}

const count = statement('code_secret_releases_count', 'SELECT count(*)::int AS count FROM code_secret_releases WHERE institution_id = $1 AND exam_id = $2');

/** Counts the releases of an exam's key. */
export async function countReleases(scope: InstitutionScope, examId: string): Promise<number> {
  const [row] = await scope.sql<{ count: number }>(count, [scope.institutionId, examId]);
  return row?.count ?? 0;
}

const stamp = statement(
  'attempt_stamp_release',
  `WITH stamped AS (UPDATE attempts SET hidden_released_at = $3 WHERE institution_id = $1 AND id = $2)
   INSERT INTO attempt_events (attempt_id, id, institution_id, type, at) VALUES ($2, 'service:hidden_tests_released', $1, 'hidden_tests_released', $3)`,
);

/** Records the release in a locked attempt and its feed. */
export async function stampRelease(scope: InstitutionScope, attemptId: string, now: Date): Promise<void> {
  await scope.sql(stamp, [scope.institutionId, attemptId, now]);
}
