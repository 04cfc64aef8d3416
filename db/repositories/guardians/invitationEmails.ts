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

/**
 * Records an invitation to an address, and returns the number of invitations to it since a time, including this one. Also
 * deletes older records, of ten addresses at a time.
 */
export async function recordInvitationEmail(scope: InstitutionScope, address: Buffer, since: Date, now: Date): Promise<number> {
  await scope.sql(deleteExpired, [scope.institutionId, since]);
  const [row] = await scope.sql<{ emails: number }>(record, [scope.institutionId, address, now, since]);
  return row?.emails ?? 0;
}
