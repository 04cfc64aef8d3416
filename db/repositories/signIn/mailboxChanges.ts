import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

/** A change of a person's own mailbox that waits for its code. */
export interface MailboxChangeRow {
  id: string;
  email_sealed: string;
  code_hmac: Buffer;
  wrong_tries: number;
  expires_at: Date;
  used_at: Date | null;
}

/** A new change. */
export interface NewMailboxChange {
  id: string;
  userId: string;
  sealed: string;
  codeHmac: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

const insert = statement(
  'mailbox_change_insert',
  'INSERT INTO mailbox_changes (id, institution_id, user_id, email_sealed, code_hmac, created_at, expires_at) VALUES ($2, $1, $3, $4, $5, $6, $7)',
);

/** Inserts a change of a locked account. */
export async function insertMailboxChange(scope: InstitutionScope, { id, userId, sealed, codeHmac, createdAt, expiresAt }: NewMailboxChange): Promise<void> {
  await scope.sql(insert, [scope.institutionId, id, userId, sealed, codeHmac, createdAt, expiresAt]);
}

const newest = statement(
  'mailbox_change_newest',
  `SELECT id, email_sealed, code_hmac, wrong_tries, expires_at, used_at FROM mailbox_changes
    WHERE institution_id = $1 AND user_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1`,
);

/** Returns the newest change of an account, in any state. */
export async function newestMailboxChange(scope: InstitutionScope, userId: string): Promise<MailboxChangeRow | undefined> {
  const [row] = await scope.sql<MailboxChangeRow>(newest, [scope.institutionId, userId]);
  return row;
}

const count = statement('mailbox_changes_count', 'SELECT count(*)::int AS changes FROM mailbox_changes WHERE institution_id = $1 AND user_id = $2 AND created_at > $3');

/** Counts the changes that an account asked for after `since`. */
export async function mailboxChangesSince(scope: InstitutionScope, userId: string, since: Date): Promise<number> {
  const [row] = await scope.sql<{ changes: number }>(count, [scope.institutionId, userId, since]);
  return row?.changes ?? 0;
}

const countWrong = statement('mailbox_change_wrong_try', 'UPDATE mailbox_changes SET wrong_tries = wrong_tries + 1 WHERE institution_id = $1 AND id = $2');

/** Counts a wrong try at the code of a change of a locked account. */
export async function countWrongMailboxTry(scope: InstitutionScope, id: string): Promise<void> {
  await scope.sql(countWrong, [scope.institutionId, id]);
}

const markUsed = statement('mailbox_change_used', 'UPDATE mailbox_changes SET used_at = $3 WHERE institution_id = $1 AND id = $2');

/** Marks a change as confirmed. */
export async function markMailboxChangeUsed(scope: InstitutionScope, id: string, usedAt: Date): Promise<void> {
  await scope.sql(markUsed, [scope.institutionId, id, usedAt]);
}

const deleteOld = 'DELETE FROM mailbox_changes WHERE id IN (SELECT id FROM mailbox_changes WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id';

/** Deletes changes of any institution that expired before a time; returns the number. */
export async function deleteMailboxChangesBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteOld, [before, limit])).length;
}
