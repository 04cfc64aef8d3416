import type { DeveloperRow } from '../../../db/repositories/developers/developers';
import { developerStatusAt } from '../../../domain/developers/developerStatus';
import { openEmail } from '../../../domain/people/personalEmail';
import type { SecretBox } from '../../../domain/secrets/secretBox';
import { isoOrNull } from '../../http/request/fields';
import type { DeveloperResponse } from './developers.schemas';

/** A developer in the portal, with the address that the institution entered; the status as of `now`. */
export function presentDeveloper(secrets: Pick<SecretBox, 'open'>, institutionId: string, row: DeveloperRow, now: Date): DeveloperResponse {
  return {
    id: row.id,
    email: openEmail(secrets, { institutionId, userId: row.id }, row.email_sealed),
    name: row.full_name,
    status: developerStatusAt(row, now),
    scope_ceiling: row.scope_ceiling,
    invited_by: row.invited_by,
    invited_at: row.invited_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    accepted_at: isoOrNull(row.accepted_at),
    suspended_at: isoOrNull(row.suspended_at),
    revoked_at: isoOrNull(row.revoked_at),
    created_at: row.created_at.toISOString(),
  };
}
