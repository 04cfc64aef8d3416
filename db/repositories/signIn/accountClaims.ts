import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

const lock = statement('account_claims_lock', "SELECT pg_advisory_xact_lock(hashtext('account_claims'), hashtext($1 || ' ' || $2))");

const count = statement(
  'account_claims_count',
  `SELECT count(*)::int AS claims, coalesce(bool_or(alerted), false) AS alerted FROM account_claims
    WHERE institution_id = $1 AND client_address = $2 AND claimed_at > $3 AND user_id <> $4`,
);

/** The accounts of other people that were claimed from an address, and whether an alert was raised for one of these claims. */
export interface ClaimCount {
  claims: number;
  alerted: boolean;
}

/**
 * Counts the accounts of the institution, other than this one, that were claimed from a client address after `since`. Until the
 * commit other claims from the address wait, so that no two of them are counted as the last.
 */
export async function countClaims(scope: InstitutionScope, clientAddress: string, userId: string, since: Date): Promise<ClaimCount> {
  await scope.sql(lock, [scope.institutionId, clientAddress]);
  const [row] = await scope.sql<ClaimCount>(count, [scope.institutionId, clientAddress, since, userId]);
  return row ?? { claims: 0, alerted: false };
}

const record = statement(
  'account_claim_record',
  `INSERT INTO account_claims (user_id, institution_id, client_address, claimed_at) VALUES ($2, $1, $3, $4)
   ON CONFLICT (user_id) DO UPDATE SET client_address = excluded.client_address, claimed_at = excluded.claimed_at, alerted = false`,
);

/** Records that an account was claimed from a client address. */
export async function recordClaim(scope: InstitutionScope, userId: string, clientAddress: string, now: Date): Promise<void> {
  await scope.sql(record, [scope.institutionId, userId, clientAddress, now]);
}

const markAlerted = statement('account_claims_alerted', 'UPDATE account_claims SET alerted = true WHERE institution_id = $1 AND client_address = $2 AND claimed_at > $3');

/** Records that an alert was raised for the claims from an address after `since`. */
export async function markClaimsAlerted(scope: InstitutionScope, clientAddress: string, since: Date): Promise<void> {
  await scope.sql(markAlerted, [scope.institutionId, clientAddress, since]);
}

const deleteOld = 'DELETE FROM account_claims WHERE user_id IN (SELECT user_id FROM account_claims WHERE claimed_at < $1 ORDER BY claimed_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING user_id';

/** Deletes claims of any institution made before a time; returns the number. */
export async function deleteClaimsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteOld, [before, limit])).length;
}
