import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

// All times are those of Postgres: API and workers may disagree about what time it is. The subquery is worked out once, so that
// the index is asked with it.
const now = '(SELECT clock_timestamp())';
const after = (ms: string): string => `clock_timestamp() + ${ms} * interval '1 millisecond'`;

// A request that finds no free slot writes a row all the same: a row is written and flushed in both cases. Requests of
// the same moment choose the same slot, and become one.
const enqueue = statement(
  'sign_in_emails_keep_in_place',
  `INSERT INTO sign_in_emails (request_id, request_sealed, login_email_hmac, place, created_at, expires_at)
   SELECT $1, $2, $3, coalesce(min(free.place), 1), clock_timestamp(), ${after('$4')}
     FROM generate_series(1, $5::int) AS free (place)
    WHERE NOT EXISTS (SELECT 1 FROM sign_in_emails w WHERE w.login_email_hmac = $3 AND w.place = free.place)
   ON CONFLICT (login_email_hmac, place) DO UPDATE SET tries = sign_in_emails.tries`,
);

/** What somebody asked for, sealed, and a fingerprint of the login email that they named. */
export interface QueuedCodeRequest {
  requestId: string;
  sealed: string;
  fingerprint: Buffer;
  lifetimeMs: number;
}

/** Keeps what somebody asked for, until it is sent or expires; what goes beyond `share` waiting requests of its login email counts as one of them. */
export async function enqueueCodeRequest(sql: Sql, { requestId, sealed, fingerprint, lifetimeMs }: QueuedCodeRequest, maxPerLoginEmail: number): Promise<void> {
  await sql(enqueue, [requestId, sealed, fingerprint, lifetimeMs, maxPerLoginEmail]);
}

const count = statement('sign_in_emails_count', 'SELECT count(*)::int AS waiting FROM (SELECT 1 FROM sign_in_emails LIMIT $1) counted');

/** How many emails wait, counted up to `most`. */
export async function countCodeEmails(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<{ waiting: number }>(count, [limit]);
  return row?.waiting ?? 0;
}

/** An email with a sign-in code that waits: what was asked for, and the email once its code is issued. */
export interface WaitingCodeEmail {
  seq: string;
  request_id: string;
  request_sealed: string;
  email_sealed: string | null;
  /** Of the email, once it is written or was passed over. */
  institution_id: string | null;
  code_id: string | null;
  expired: boolean;
  tries: number;
}

const claimOf = (due: string, order: string): string =>
  `UPDATE sign_in_emails SET tries = tries + 1, try_after = ${after('$2')}
    WHERE seq = ANY (ARRAY(
      SELECT seq FROM sign_in_emails WHERE ${due} AND (institution_id IS NULL OR institution_id <> ALL ($3::text[])) ORDER BY ${order} LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING seq, request_id, request_sealed, email_sealed, institution_id, code_id, expires_at <= clock_timestamp() AS expired, tries`;

const claims = {
  fresh: statement('sign_in_emails_claim_fresh', claimOf("try_after = '-infinity'", 'seq')),
  late: statement('sign_in_emails_claim_late', claimOf(`try_after > '-infinity' AND try_after <= ${now}`, 'try_after, seq')),
};

/**
 * Takes up to `limit` due emails under a lease of `leaseMs`, none of which is known to be of an institution in `busy`: `fresh`
 * ones, which nobody has looked at, or `late` ones, which come again. A crash lets them fall due again.
 */
export function claimCodeEmails(sql: Sql, kind: keyof typeof claims, limit: number, leaseMs: number, busyInstitutionIds: readonly string[]): Promise<WaitingCodeEmail[]> {
  return sql(claims[kind], [limit, leaseMs, busyInstitutionIds]);
}

const lock = statement('sign_in_emails_lock', 'SELECT email_sealed FROM sign_in_emails WHERE seq = $1 FOR UPDATE');

/** Locks an email and reads what is written of it by now; undefined once it is sent or given up. */
export async function lockCodeEmail({ sql }: InstitutionScope, seq: string): Promise<Pick<WaitingCodeEmail, 'email_sealed'> | undefined> {
  const [row] = await sql<Pick<WaitingCodeEmail, 'email_sealed'>>(lock, [seq]);
  return row;
}

const write = statement(
  'sign_in_emails_write_code',
  `UPDATE sign_in_emails SET email_sealed = $2, code_id = $3, institution_id = $4, expires_at = ${after('$5')} WHERE seq = $1`,
);

/** Keeps the email itself and which code it carries, until it is sent or its code expires. */
export async function storeCodeEmail({ sql, institutionId }: InstitutionScope, seq: string, email: { sealed: string; codeId: string; lifetimeMs: number }): Promise<void> {
  await sql(write, [seq, email.sealed, email.codeId, institutionId, email.lifetimeMs]);
}

const remove = statement('sign_in_emails_remove', 'DELETE FROM sign_in_emails WHERE seq = $1');

/** Removes an email that is sent, or that nobody is to get. */
export async function removeCodeEmail(sql: Sql, seq: string): Promise<void> {
  await sql(remove, [seq]);
}

const postpone = statement('sign_in_emails_postpone_by', `UPDATE sign_in_emails SET try_after = ${after('$2')} WHERE seq = $1`);

/** Puts an email back, to be tried after so many ms. */
export async function postponeCodeEmail(sql: Sql, seq: string, ms: number): Promise<void> {
  await sql(postpone, [seq, ms]);
}

const postponeUntried = statement(
  'sign_in_emails_pass_over',
  `UPDATE sign_in_emails SET try_after = ${after('$2')}, tries = tries - 1, institution_id = $3 WHERE seq = $1`,
);

/** Puts an email back that was not tried, because enough of its institution's are under way. */
export async function postponeUntriedCodeEmail(sql: Sql, seq: string, ms: number, institutionId: string): Promise<void> {
  await sql(postponeUntried, [seq, ms, institutionId]);
}
