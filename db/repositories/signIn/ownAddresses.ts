import { onClock } from '../../institutionClock';
import { statement, type Sql } from '../../statement';
import type { AccountReference } from './accounts';
import { linkAllowsSignIn } from '../guardians/people';

/** The kinds of people who sign in by an address of their own. */
export const addressKinds = ['guardian', 'developer'] as const;
export type AddressKind = (typeof addressKinds)[number];

// A sandbox keeps its invitations, so that accepting one proves no mailbox, and its clock may be ahead: its accounts come last.
const byAddress = statement(
  'account_by_fingerprints',
  `SELECT a.user_id, a.institution_id, i.clock_offset_ms::float8 AS clock_offset_ms
     FROM (
       SELECT u.id AS user_id, u.institution_id, u.kind, l.accepted_at, l.id AS accepted
         FROM users u JOIN guardian_links l ON l.guardian_id = u.id
        WHERE u.kind = 'guardian' AND u.personal_email_hmac = ANY ($1::bytea[]) AND ${linkAllowsSignIn(onClock('$4::timestamptz', '(SELECT clock_offset_ms FROM institutions WHERE id = u.institution_id)'))}
       UNION ALL
       SELECT u.id, u.institution_id, u.kind, d.accepted_at, u.id
         FROM users u JOIN developers d ON d.user_id = u.id
        WHERE u.kind = 'developer' AND u.personal_email_hmac = ANY ($1::bytea[]) AND d.status = 'active'
     ) a JOIN institutions i ON i.id = a.institution_id
    WHERE i.status = 'approved' AND ($2::text IS NULL OR a.institution_id = $2) AND ($3::text IS NULL OR a.kind = $3)
    ORDER BY i.sandbox_of IS NOT NULL, a.accepted_at DESC, a.accepted DESC LIMIT 1`,
);

/** An address, and what a sign-in says about the intended account. */
export interface OwnAddress {
  /** Under every key; the address is stored under one of them. */
  fingerprints: readonly Buffer[];
  institutionId: string | undefined;
  kind: AddressKind | undefined;
}

/**
 * Returns the guardian or developer of an address who may sign in: of those that match, the one whose invitation was
 * accepted last, and one of a sandbox only where there is no other. Skips institutions that are not approved.
 */
export async function findByOwnAddress(sql: Sql, { fingerprints, institutionId, kind }: OwnAddress, now: Date): Promise<AccountReference | undefined> {
  const [row] = await sql<AccountReference>(byAddress, [fingerprints, institutionId ?? null, kind ?? null, now]);
  return row;
}
