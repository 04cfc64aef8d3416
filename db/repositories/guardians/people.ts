import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** A new guardian: one per address in an institution. */
export interface NewGuardian {
  id: string;
  fullName: string | null;
  /** The address, encrypted and as its fingerprint. */
  sealed: string;
  fingerprint: Buffer;
}

const upsert = statement(
  'guardian_take',
  `INSERT INTO users (id, institution_id, kind, full_name, status, personal_email_sealed, personal_email_hmac, created_at, updated_at)
   VALUES ($2, $1, 'guardian', $3, 'active', $4, $5, $6, $6)
   ON CONFLICT (personal_email_hmac, institution_id) WHERE kind = 'guardian' DO UPDATE SET personal_email_hmac = excluded.personal_email_hmac
   RETURNING id`,
);

/** Inserts the guardian of an address, unless there is one; locks the row and returns its id. The seal of an existing row is bound to it and stays. */
export async function upsertGuardian(scope: InstitutionScope, { id, fullName, sealed, fingerprint }: NewGuardian, now: Date): Promise<string> {
  const [row] = await scope.sql<{ id: string }>(upsert, [scope.institutionId, id, fullName, sealed, fingerprint, now]);
  if (row === undefined) throw new Error('The guardian is not there');
  return row.id;
}

/** The condition on a link (`l`) for its guardian to sign in at a time. */
export const linkAllowsSignIn = (now: string): string => `(l.verified_at IS NOT NULL OR l.accepted_at IS NOT NULL AND l.expires_at > ${now})`;

const canSignIn = statement(
  'guardian_may_sign_in',
  `SELECT 1 FROM guardian_links l JOIN institutions i ON i.id = l.institution_id
    WHERE l.institution_id = $1 AND l.guardian_id = $2 AND i.status = 'approved' AND ${linkAllowsSignIn('$3')} LIMIT 1`,
);

/** Whether a locked guardian may sign in: a link is verified, or accepted and not expired, and the institution is approved. */
export async function guardianCanSignIn(scope: InstitutionScope, personId: string, now: Date): Promise<boolean> {
  return (await scope.sql(canSignIn, [scope.institutionId, personId, now])).length > 0;
}

const linked = statement('guardian_is_linked', 'SELECT 1 FROM guardian_links WHERE institution_id = $1 AND guardian_id = $2 LIMIT 1');

const parts = ['sessions WHERE institution_id = $1 AND user_id', 'sign_in_codes WHERE institution_id = $1 AND user_id', 'weekly_report_letters WHERE institution_id = $1 AND guardian_id'];

const removals = [...parts, "users WHERE institution_id = $1 AND kind = 'guardian' AND id"].map((rows, nth) => statement(`guardian_remove_${nth}`, `DELETE FROM ${rows} = $2`));

/** Deletes a locked guardian without links, with sessions, codes and unsent emails. */
export async function removeUnlinkedGuardian(scope: InstitutionScope, personId: string): Promise<void> {
  const own = [scope.institutionId, personId];
  if ((await scope.sql(linked, own)).length > 0) return;
  for (const removal of removals) await scope.sql(removal, own);
}
