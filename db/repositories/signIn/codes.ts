import type { InstitutionScope } from '../../database';
import { SignInCodeEntity } from '../../entities/signInCode';
import { entityManager, ownRow } from '../../entityManager';
import { statement, type Sql } from '../../statement';

/** A code as needed to check a try. */
export interface SignInCodeRow {
  id: string;
  code_hmac: Buffer;
  personal_email_sealed: string | null;
  enrolment_code_id: string | null;
  sent_to_hmac: Buffer;
  wrong_tries: number;
  expires_at: Date;
  used_at: Date | null;
}

/** Inserts a code of an account. */
export async function insertCode(scope: InstitutionScope, code: Omit<SignInCodeEntity, 'institutionId'>): Promise<void> {
  await scope[entityManager]((manager) => manager.insert(SignInCodeEntity, { ...code, institutionId: scope.institutionId }));
}

/** The columns of a code that commands change. */
export type CodeChanges = Partial<Pick<SignInCodeEntity, 'wrongTries' | 'lastWrongAt' | 'lockedAt' | 'usedAt' | 'personalEmailSealed'>>;

/** Updates a code of a locked account; absent columns stay unchanged. */
export async function updateCode(scope: InstitutionScope, id: string, changes: CodeChanges): Promise<void> {
  await scope[entityManager]((manager) => manager.update(SignInCodeEntity, ownRow(scope, id), changes));
}

const newest = statement(
  'sign_in_code_newest',
  `SELECT id, code_hmac, personal_email_sealed, enrolment_code_id, sent_to_hmac, wrong_tries, expires_at, used_at
     FROM sign_in_codes WHERE institution_id = $1 AND user_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1`,
);

/** Returns the account's newest code, in any state. */
export async function newestCode(scope: InstitutionScope, userId: string): Promise<SignInCodeRow | undefined> {
  const [row] = await scope.sql<SignInCodeRow>(newest, [scope.institutionId, userId]);
  return row;
}

const issued = statement(
  'sign_in_codes_issued',
  'SELECT count(*)::int AS codes FROM sign_in_codes WHERE institution_id = $1 AND user_id = $2 AND created_at > $3 AND unsent_at IS NULL',
);

/** Counts the codes issued to the account after `since`, except those whose email was never sent. */
export async function codesIssuedSince(scope: InstitutionScope, userId: string, since: Date): Promise<number> {
  const [row] = await scope.sql<{ codes: number }>(issued, [scope.institutionId, userId, since]);
  return row?.codes ?? 0;
}

const isNewest = statement(
  'sign_in_code_is_newest',
  `SELECT 1 FROM sign_in_codes c WHERE c.institution_id = $1 AND c.id = $2
      AND NOT EXISTS (SELECT 1 FROM sign_in_codes n WHERE n.institution_id = $1 AND n.user_id = c.user_id AND (n.created_at, n.id) > (c.created_at, c.id))`,
);

/** Whether a code is the newest of its account. */
export async function isNewestCode(sql: Sql, institutionId: string, codeId: string): Promise<boolean> {
  return (await sql(isNewest, [institutionId, codeId])).length > 0;
}

const unsent = statement(
  'sign_in_code_unsent',
  'UPDATE sign_in_codes SET unsent_at = clock_timestamp() WHERE institution_id = $1 AND id = $2 AND used_at IS NULL',
);

/** Records that a code's email was never sent. Its wrong tries still count: guessing needs no email. */
export async function markCodeUnsent(sql: Sql, institutionId: string, codeId: string): Promise<void> {
  await sql(unsent, [institutionId, codeId]);
}

/** Wrong tries at the codes of an account, when the last one was made at the latest, and since when the account was locked by then; null without any. */
export interface WrongTries {
  tries: number;
  last_wrong_at: Date | null;
  /** Null as well where the release before wrote the last try. */
  locked_at: Date | null;
}

// The release before does not write the time of a try, which is before the expiry of its code.
const wrong = statement(
  'sign_in_codes_wrong_locked',
  `SELECT coalesce(sum(wrong_tries), 0)::int AS tries, max(coalesce(last_wrong_at, expires_at)) FILTER (WHERE wrong_tries > 0 OR last_wrong_at IS NOT NULL) AS last_wrong_at,
          (array_agg(locked_at ORDER BY coalesce(last_wrong_at, expires_at) DESC, id DESC) FILTER (WHERE wrong_tries > 0 OR last_wrong_at IS NOT NULL))[1] AS locked_at
     FROM sign_in_codes WHERE institution_id = $1 AND user_id = $2 AND expires_at > $3`,
);

/** Counts the wrong tries at all codes of the account that were still valid after `since`: at least those made after it. */
export async function wrongTriesSince(scope: InstitutionScope, userId: string, since: Date): Promise<WrongTries> {
  const [row] = await scope.sql<WrongTries>(wrong, [scope.institutionId, userId, since]);
  return row ?? { tries: 0, last_wrong_at: null, locked_at: null };
}

const deleteAll = statement('sign_in_codes_delete_all', 'DELETE FROM sign_in_codes WHERE institution_id = $1 AND user_id = $2');

/** Deletes all codes of a locked account, and with them the count of its wrong tries. */
export async function deleteCodes(scope: InstitutionScope, userId: string): Promise<void> {
  await scope.sql(deleteAll, [scope.institutionId, userId]);
}

const deleteExpired = statement('sign_in_codes_forget', 'DELETE FROM sign_in_codes WHERE institution_id = $1 AND user_id = $2 AND expires_at <= $3');

/** Deletes the account's codes that expired by `until`. */
export async function deleteExpiredCodes(scope: InstitutionScope, userId: string, until: Date): Promise<void> {
  await scope.sql(deleteExpired, [scope.institutionId, userId, until]);
}
