import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** The student who has a `student_id`, as a rejection names them. */
export interface ExistingStudent {
  id: string;
  login_email: string;
}

// One row without a student where nobody has them, none where they need not be unique.
const holders = statement(
  'student_id_holders',
  `SELECT h.id, h.login_email, h.external_id
     FROM institutions i
     LEFT JOIN (SELECT u.id, u.institution_id, u.external_id, e.login_email FROM users u JOIN institution_emails e ON e.user_id = u.id
                 WHERE u.institution_id = $1 AND u.kind = 'student' AND u.external_id = ANY ($2::text[])) h ON h.institution_id = i.id
    WHERE i.id = $1 AND i.unique_student_ids`,
);

/** Who has these identifiers; undefined while those of the institution need not be unique. */
export async function findStudentIdHolders(scope: InstitutionScope, studentIds: readonly string[]): Promise<Map<string, ExistingStudent> | undefined> {
  if (studentIds.length === 0) return undefined;
  const rows = await scope.sql<(ExistingStudent & { external_id: string }) | { id: null }>(holders, [scope.institutionId, [...new Set(studentIds)]]);
  if (rows.length === 0) return undefined;
  return new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.external_id, { id: row.id, login_email: row.login_email }]])));
}

const duplicates = statement(
  'student_id_duplicates',
  `SELECT external_id FROM users WHERE institution_id = $1 AND kind = 'student' AND external_id IS NOT NULL
    GROUP BY external_id HAVING count(*) > 1 ORDER BY external_id LIMIT $2`,
);

/** Identifiers that several students of the institution have, at most so many. */
export async function findDuplicateStudentIds(scope: InstitutionScope, atMost: number): Promise<string[]> {
  const rows = await scope.sql<{ external_id: string }>(duplicates, [scope.institutionId, atMost]);
  return rows.map(({ external_id }) => external_id);
}

const lock = statement('student_ids_lock', "SELECT pg_advisory_xact_lock(hashtext('unique_student_ids'), hashtext($1))");

/**
 * Waits for the transactions that are writing a `student_id` of the institution, and has others wait for this one: transactions that
 * write one share the lock (`keep_student_id_unique`). What was written is seen by the next statement.
 */
export async function lockStudentIds(scope: InstitutionScope): Promise<void> {
  await scope.sql(lock, [scope.institutionId]);
}
