import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

const record = statement(
  'guardian_letter_note',
  `INSERT INTO guardian_letters AS l (institution_id, address_hmac, asked_at, last_at) VALUES ($1, $2, ARRAY[$3::timestamptz(3)], $3)
   ON CONFLICT (institution_id, address_hmac) DO UPDATE
     SET asked_at = ARRAY(SELECT t FROM unnest(l.asked_at) t WHERE t > $4) || excluded.asked_at, last_at = excluded.last_at
   RETURNING cardinality(asked_at) AS emails`,
);

const deleteExpired = statement(
  'guardian_letters_forget',
  `DELETE FROM guardian_letters WHERE (institution_id, address_hmac) IN (
     SELECT institution_id, address_hmac FROM guardian_letters WHERE institution_id = $1 AND last_at <= $2 ORDER BY last_at LIMIT 10 FOR UPDATE SKIP LOCKED)`,
);

const find = statement('guardian_letters_find', 'SELECT 1 FROM guardian_letters WHERE institution_id = $1 AND address_hmac = $2');
const move = statement('guardian_letters_move', 'UPDATE guardian_letters SET address_hmac = $3 WHERE institution_id = $1 AND address_hmac = ANY ($2::bytea[])');

/** Stores the record of an address under its newest fingerprint. No-op if that has one. The caller has locked the institution's personal emails. */
export async function moveInvitationRecord(scope: InstitutionScope, earlier: readonly Buffer[], newest: Buffer): Promise<void> {
  const found = await scope.sql(find, [scope.institutionId, newest]);
  if (found.length === 0) await scope.sql(move, [scope.institutionId, earlier, newest]);
}

/**
 * Records an invitation to an address, and returns the number of invitations to it since a time, including this one. Also
 * deletes older records, of ten addresses at a time.
 */
export async function recordInvitationEmail(scope: InstitutionScope, address: Buffer, since: Date, now: Date): Promise<number> {
  await scope.sql(deleteExpired, [scope.institutionId, since]);
  const [row] = await scope.sql<{ emails: number }>(record, [scope.institutionId, address, now, since]);
  return row?.emails ?? 0;
}
