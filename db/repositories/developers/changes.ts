import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import type { DeveloperStatus } from './developers';

/** A new developer: one per address in an institution. */
export interface NewDeveloper {
  id: string;
  fullName: string;
  /** The address, encrypted and as its fingerprint. */
  sealed: string;
  fingerprint: Buffer;
}

const upsert = statement(
  'developer_take',
  `INSERT INTO users (id, institution_id, kind, full_name, status, personal_email_sealed, personal_email_hmac, created_at, updated_at)
   VALUES ($2, $1, 'developer', $3, 'active', $4, $5, $6, $6)
   ON CONFLICT (personal_email_hmac, institution_id) WHERE kind = 'developer' DO UPDATE
   SET full_name = excluded.full_name, updated_at = excluded.updated_at
   RETURNING id`,
);

/** Inserts the developer of an address, or updates the name; locks the row and returns its id. The seal of an existing row is bound to it and stays. */
export async function upsertDeveloper(scope: InstitutionScope, { id, fullName, sealed, fingerprint }: NewDeveloper, now: Date): Promise<string> {
  const [row] = await scope.sql<{ id: string }>(upsert, [scope.institutionId, id, fullName, sealed, fingerprint, now]);
  if (row === undefined) throw new Error('The developer is not there');
  return row.id;
}

const invite = statement(
  'developer_invite',
  `INSERT INTO developers (user_id, institution_id, status, invited_by, invited_at, expires_at) VALUES ($2, $1, 'invited', $3, $4, $5)
   ON CONFLICT (user_id) DO UPDATE SET status = 'invited', invitation = developers.invitation + 1, invited_by = $3, invited_at = $4, expires_at = $5,
     accepted_at = NULL, suspended_at = NULL, revoked_at = NULL
   RETURNING invitation`,
);

/** Invites a locked developer, for the first time or again; returns the number of the invitation. */
export async function writeDeveloperInvitation(
  scope: InstitutionScope,
  { id, invitedBy, expiresAt }: { id: string; invitedBy: string; expiresAt: Date },
  now: Date,
): Promise<number> {
  const [row] = await scope.sql<{ invitation: number }>(invite, [scope.institutionId, id, invitedBy, now, expiresAt]);
  if (row === undefined) throw new Error('The invitation is not there');
  return row.invitation;
}

const updateStatus = statement(
  'developer_become',
  `UPDATE developers
      SET status = $3,
          accepted_at = CASE WHEN $3 = 'active' THEN coalesce(accepted_at, $4) ELSE accepted_at END,
          suspended_at = CASE WHEN $3 = 'suspended' THEN $4::timestamptz END,
          revoked_at = CASE WHEN $3 = 'revoked' THEN $4::timestamptz END
    WHERE institution_id = $1 AND user_id = $2`,
);

/** Updates the status of a locked developer, with its time. */
export async function writeDeveloperStatus(scope: InstitutionScope, id: string, status: Exclude<DeveloperStatus, 'invited'>, now: Date): Promise<void> {
  await scope.sql(updateStatus, [scope.institutionId, id, status, now]);
}

const updateCeiling = statement('developer_scope_ceiling', 'UPDATE developers SET scope_ceiling = $3 WHERE institution_id = $1 AND user_id = $2');

/** Sets the ceiling of the scopes of a locked developer's keys; null for none. */
export async function writeScopeCeiling(scope: InstitutionScope, id: string, ceiling: readonly string[] | null): Promise<void> {
  await scope.sql(updateCeiling, [scope.institutionId, id, ceiling]);
}
