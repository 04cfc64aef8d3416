import type { GuardianLinkRow } from '../../../db/repositories/guardians/links';
import { linkStatus } from '../../../domain/guardians/linkStatus';
import { openEmail } from '../../../domain/people/personalEmail';
import type { SecretBox } from '../../../domain/secrets/secretBox';
import { isoOrNull } from '../../http/request/fields';
import type { GuardianLinkResponse } from './guardians.schemas';

/** A guardian link for its institution, with the address; the status as of `now` (section Guardian link). */
export function presentGuardianLink(secrets: Pick<SecretBox, 'open'>, institutionId: string, row: GuardianLinkRow, now: Date): GuardianLinkResponse {
  return {
    id: row.id,
    student_id: row.student_id,
    student_email: row.student_email,
    guardian_email: openEmail(secrets, { institutionId, userId: row.person_id }, row.guardian_email_sealed),
    guardian_type: row.guardian_type,
    guardian_name: row.guardian_name,
    is_primary: row.is_primary,
    verified: row.verified_at !== null,
    status: linkStatus(row, now),
    invited_at: row.invited_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    accepted_at: isoOrNull(row.accepted_at),
    verified_at: isoOrNull(row.verified_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
