import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

interface BytesRow {
  bytes: number;
}

const ofAttempt = statement(
  'bytes_of_attempt',
  "SELECT coalesce(sum(size), 0)::float8 AS bytes FROM files WHERE institution_id = $1 AND attempt_id = $2 AND status <> 'removed'",
);

/** Returns the bytes of an attempt's files, including those being stored. */
export async function sumAttemptBytes(scope: InstitutionScope, attemptId: string): Promise<number> {
  const [row] = await scope.sql<BytesRow>(ofAttempt, [scope.institutionId, attemptId]);
  return row?.bytes ?? 0;
}

const ofStudent = statement(
  'bytes_of_student',
  `SELECT coalesce(sum(f.size), 0)::float8 AS bytes FROM attempts a JOIN files f ON f.attempt_id = a.id AND f.status <> 'removed'
    WHERE a.institution_id = $1 AND a.student_id = $2`,
);

/** Returns the bytes of the files of a student's attempts, including those being stored. */
export async function sumStudentBytes(scope: InstitutionScope, studentId: string): Promise<number> {
  const [row] = await scope.sql<BytesRow>(ofStudent, [scope.institutionId, studentId]);
  return row?.bytes ?? 0;
}

const ofInstitution = statement('bytes_of_institution', 'SELECT coalesce(sum(bytes), 0)::float8 AS bytes, count(*)::int AS rows FROM stored_bytes WHERE institution_id = $1');

/** Returns the bytes of all files of the institution, including those being stored, and of how many rows they are the sum. */
export async function sumInstitutionBytes(scope: InstitutionScope): Promise<{ bytes: number; rows: number }> {
  const [row] = await scope.sql<BytesRow & { rows: number }>(ofInstitution, [scope.institutionId]);
  return row ?? { bytes: 0, rows: 0 };
}

// A row that another fold has deleted meanwhile is not returned: its bytes are in the row of that fold.
const fold = statement(
  'bytes_fold',
  `WITH gone AS (DELETE FROM stored_bytes WHERE institution_id = $1 RETURNING bytes)
   INSERT INTO stored_bytes (institution_id, bytes) SELECT $1, sum(bytes) FROM gone HAVING count(*) > 0`,
);

/** Replaces the rows of which the institution's bytes are the sum by one. */
export async function foldInstitutionBytes(scope: Pick<InstitutionScope, 'institutionId' | 'sql'>): Promise<void> {
  await scope.sql(fold, [scope.institutionId]);
}

const unfolded = 'SELECT institution_id AS id FROM stored_bytes GROUP BY institution_id HAVING count(*) > 1 ORDER BY count(*) DESC, institution_id LIMIT $1';

/** Returns institutions, at most `limit`, whose bytes are the sum of several rows, those with the most first. Not prepared: it runs once a day. */
export async function institutionsToFold(sql: Sql, limit: number): Promise<string[]> {
  return (await sql<{ id: string }>(unfolded, [limit])).map(({ id }) => id);
}

const lockPerson = statement(
  'quota_lock_student',
  "SELECT id FROM users WHERE institution_id = $1 AND id = $2 AND kind = 'student' AND status <> 'suspended' AND erased_at IS NULL FOR NO KEY UPDATE",
);

/** Locks a student, so that their uploads are counted one after the other, and come before an erasure; false if they are suspended or erased. */
export async function lockUploadingStudent(scope: InstitutionScope, studentId: string): Promise<boolean> {
  return (await scope.sql(lockPerson, [scope.institutionId, studentId])).length > 0;
}
