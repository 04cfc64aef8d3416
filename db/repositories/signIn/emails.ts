import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

// All times are those of Postgres, because the clocks of API and workers may differ. The subquery is evaluated once, so that
// an index can be used.
const now = '(SELECT clock_timestamp())';
const after = (ms: string): string => `clock_timestamp() + ${ms} * interval '1 millisecond'`;

// A request without a free slot updates a row, so that the duration is the same in both cases. Concurrent requests choose
// the same slot and become one.
const enqueue = statement(
  'sign_in_emails_keep_in_place',
  `INSERT INTO sign_in_emails (request_id, request_sealed, login_email_hmac, place, created_at, expires_at, client_address)
   SELECT $1, $2, $3, coalesce(min(free.place), 1), clock_timestamp(), ${after('$4')}, $6
     FROM generate_series(1, $5::int) AS free (place)
    WHERE NOT EXISTS (SELECT 1 FROM sign_in_emails w WHERE w.login_email_hmac = $3 AND w.place = free.place)
   ON CONFLICT (login_email_hmac, place) DO UPDATE SET tries = sign_in_emails.tries`,
);

/** A request for a code, encrypted, and the fingerprint of its login email. */
export interface QueuedCodeRequest {
  requestId: string;
  sealed: string;
  fingerprint: Buffer;
  /** Of the client that asks; undefined if it is not known. */
  clientAddress: string | undefined;
  lifetimeMs: number;
}

/** Stores a request until its email is sent or it expires; beyond `share` waiting requests of a login email it replaces one of them. */
export async function enqueueCodeRequest(sql: Sql, { requestId, sealed, fingerprint, clientAddress, lifetimeMs }: QueuedCodeRequest, maxPerLoginEmail: number): Promise<void> {
  await sql(enqueue, [requestId, sealed, fingerprint, lifetimeMs, maxPerLoginEmail, clientAddress ?? null]);
}

// Requests are far below: an email that is written replaces no request.
const maxRequestPlace = 1_000;

const enqueueWritten = statement(
  'sign_in_emails_enqueue_written',
  `INSERT INTO sign_in_emails (request_id, request_sealed, email_sealed, institution_id, login_email_hmac, place, created_at, expires_at)
   SELECT $2, $3, $4, $1, $5, coalesce(max(w.place), ${maxRequestPlace}) + 1, clock_timestamp(), ${after('$6')}
     FROM sign_in_emails w WHERE w.login_email_hmac = $5 AND w.place > ${maxRequestPlace}`,
);

/** An email that is written already, encrypted, as is the request that names its account. */
export interface WrittenEmail {
  requestId: string;
  requestSealed: string;
  emailSealed: string;
  /** Of the login email. */
  fingerprint: Buffer;
  lifetimeMs: number;
}

/** Stores an email of a locked account until it is sent or expires. */
export async function enqueueEmail(scope: InstitutionScope, { requestId, requestSealed, emailSealed, fingerprint, lifetimeMs }: WrittenEmail): Promise<void> {
  await scope.sql(enqueueWritten, [scope.institutionId, requestId, requestSealed, emailSealed, fingerprint, lifetimeMs]);
}

const count = statement('sign_in_emails_count', 'SELECT count(*)::int AS waiting FROM (SELECT 1 FROM sign_in_emails LIMIT $1) counted');

/** Counts the waiting emails, up to `limit`. */
export async function countCodeEmails(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<{ waiting: number }>(count, [limit]);
  return row?.waiting ?? 0;
}

/** A waiting email with a sign-in code: the request, and the email once its code is issued. */
export interface WaitingCodeEmail {
  seq: string;
  request_id: string;
  request_sealed: string;
  email_sealed: string | null;
  /** The institution of the email, known once the email is written or was skipped. */
  institution_id: string | null;
  code_id: string | null;
  client_address: string | null;
  expired: boolean;
  tries: number;
}

const claimOf = (due: string, order: string): string =>
  `UPDATE sign_in_emails SET tries = tries + 1, try_after = ${after('$2')}
    WHERE seq = ANY (ARRAY(
      SELECT seq FROM sign_in_emails WHERE ${due} AND (institution_id IS NULL OR institution_id <> ALL ($3::text[])) ORDER BY ${order} LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING seq, request_id, request_sealed, email_sealed, institution_id, code_id, client_address, expires_at <= clock_timestamp() AS expired, tries`;

const claims = {
  fresh: statement('sign_in_emails_claim_fresh', claimOf("try_after = '-infinity'", 'seq')),
  late: statement('sign_in_emails_claim_late', claimOf(`try_after > '-infinity' AND try_after <= ${now}`, 'try_after, seq')),
};

/**
 * Claims up to `limit` due emails under a lease of `leaseMs`, except those known to be of an institution in `busy`: `fresh`
 * ones, not yet tried, or `late` ones, which are retried. After a crash they become due again.
 */
export function claimCodeEmails(sql: Sql, kind: keyof typeof claims, limit: number, leaseMs: number, busyInstitutionIds: readonly string[]): Promise<WaitingCodeEmail[]> {
  return sql(claims[kind], [limit, leaseMs, busyInstitutionIds]);
}

const lock = statement('sign_in_emails_lock', 'SELECT email_sealed FROM sign_in_emails WHERE seq = $1 FOR UPDATE');

/** Locks an email and reads its present row; undefined once it is sent or abandoned. */
export async function lockCodeEmail({ platform: { sql } }: InstitutionScope, seq: string): Promise<Pick<WaitingCodeEmail, 'email_sealed'> | undefined> {
  const [row] = await sql<Pick<WaitingCodeEmail, 'email_sealed'>>(lock, [seq]);
  return row;
}

const write = statement(
  'sign_in_emails_write_code',
  `UPDATE sign_in_emails SET email_sealed = $2, code_id = $3, institution_id = $4, expires_at = ${after('$5')} WHERE seq = $1`,
);

/** Stores the email itself and the id of its code, until it is sent or its code expires. */
export async function storeCodeEmail({ platform: { sql }, institutionId }: InstitutionScope, seq: string, email: { sealed: string; codeId: string; lifetimeMs: number }): Promise<void> {
  await sql(write, [seq, email.sealed, email.codeId, institutionId, email.lifetimeMs]);
}

const remove = statement('sign_in_emails_remove', 'DELETE FROM sign_in_emails WHERE seq = $1');

/** Deletes an email that is sent or no longer to be sent. */
export async function removeCodeEmail(sql: Sql, seq: string): Promise<void> {
  await sql(remove, [seq]);
}

const postpone = statement('sign_in_emails_postpone_by', `UPDATE sign_in_emails SET try_after = ${after('$2')} WHERE seq = $1`);

/** Releases an email, to be tried again after a delay in ms. */
export async function postponeCodeEmail(sql: Sql, seq: string, ms: number): Promise<void> {
  await sql(postpone, [seq, ms]);
}

const postponeUntried = statement(
  'sign_in_emails_pass_over',
  `UPDATE sign_in_emails SET try_after = ${after('$2')}, tries = tries - 1, institution_id = $3 WHERE seq = $1`,
);

/** Releases an email that was not tried because its institution had no free slot. */
export async function postponeUntriedCodeEmail(sql: Sql, seq: string, ms: number, institutionId: string): Promise<void> {
  await sql(postponeUntried, [seq, ms, institutionId]);
}
