import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

/** A student's enrolment code; the code itself is kept as an HMAC. */
export interface EnrolmentCodeRow {
  id: string;
  code_hmac: Buffer;
  wrong_tries: number;
  expires_at: Date;
  used_at: Date | null;
}

/** A new enrolment code. */
export interface NewEnrolmentCode {
  id: string;
  userId: string;
  codeHmac: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

const replace = statement(
  'enrolment_code_replace',
  `INSERT INTO enrolment_codes (user_id, institution_id, id, code_hmac, created_at, expires_at) VALUES ($2, $1, $3, $4, $5, $6)
   ON CONFLICT (user_id) DO UPDATE SET id = excluded.id, code_hmac = excluded.code_hmac, wrong_tries = 0, created_at = excluded.created_at,
     expires_at = excluded.expires_at, used_at = NULL`,
);

/** Stores the code of a locked student, in place of the previous one. */
export async function replaceEnrolmentCode(scope: InstitutionScope, { id, userId, codeHmac, createdAt, expiresAt }: NewEnrolmentCode): Promise<void> {
  await scope.sql(replace, [scope.institutionId, userId, id, codeHmac, createdAt, expiresAt]);
}

const find = statement(
  'enrolment_code_of',
  'SELECT id, code_hmac, wrong_tries, expires_at, used_at FROM enrolment_codes WHERE institution_id = $1 AND user_id = $2',
);

/** Returns the newest code of a student, in any state. */
export async function findEnrolmentCode(scope: InstitutionScope, userId: string): Promise<EnrolmentCodeRow | undefined> {
  const [row] = await scope.sql<EnrolmentCodeRow>(find, [scope.institutionId, userId]);
  return row;
}

const countWrong = statement('enrolment_code_wrong_try', 'UPDATE enrolment_codes SET wrong_tries = wrong_tries + 1 WHERE institution_id = $1 AND id = $2');

/** Counts a wrong try at the code of a locked student. */
export async function countWrongEnrolmentTry(scope: InstitutionScope, id: string): Promise<void> {
  await scope.sql(countWrong, [scope.institutionId, id]);
}

const markUsed = statement('enrolment_code_used', 'UPDATE enrolment_codes SET used_at = $3 WHERE institution_id = $1 AND id = $2 AND used_at IS NULL');

/** Marks a code as used. */
export async function markEnrolmentCodeUsed(scope: InstitutionScope, id: string, usedAt: Date): Promise<void> {
  await scope.sql(markUsed, [scope.institutionId, id, usedAt]);
}

const deleteOld = 'DELETE FROM enrolment_codes WHERE user_id IN (SELECT user_id FROM enrolment_codes WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING user_id';

/** Deletes enrolment codes of any institution that expired before a time; returns the number. */
export async function deleteEnrolmentCodesBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteOld, [before, limit])).length;
}
