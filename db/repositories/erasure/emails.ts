import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import type { SandboxEmailRow } from '../sandbox/emails';

const codeEmails = statement(
  'erasure_code_emails',
  'DELETE FROM sign_in_emails WHERE (institution_id = $1 AND code_id = ANY ($2::text[])) OR login_email_hmac = ANY ($3::bytea[]) RETURNING 1',
);

/** Deletes waiting emails with these codes, and requests for a code by the fingerprints of login emails; returns how many. */
export async function eraseCodeEmails(scope: InstitutionScope, codeIds: readonly string[], loginEmails: readonly Buffer[]): Promise<number> {
  return (await scope.platform.sql(codeEmails, [scope.institutionId, codeIds, loginEmails])).length;
}

const notices = statement(
  'erasure_exam_notices',
  `UPDATE exam_notice_recipients SET status = CASE status WHEN 'waiting' THEN 'skipped' ELSE status END, error = NULL
    WHERE institution_id = $1 AND recipient_id = ANY ($2::text[]) AND (status = 'waiting' OR error IS NOT NULL) RETURNING 1`,
);
const reports = statement('erasure_report_emails', 'DELETE FROM weekly_report_letters WHERE institution_id = $1 AND guardian_id = ANY ($2::text[]) RETURNING 1');
const invited = statement('erasure_invited_addresses', 'DELETE FROM guardian_letters WHERE institution_id = $1 AND address_hmac = ANY ($2::bytea[]) RETURNING 1');

/** Removes emails that wait for these people, the mail server's answers, and the counts of invitations to these addresses; returns how many rows. */
export async function eraseQueuedEmails(scope: InstitutionScope, personIds: readonly string[], addresses: readonly Buffer[]): Promise<number> {
  const erased = [
    await scope.sql(notices, [scope.institutionId, personIds]),
    await scope.sql(reports, [scope.institutionId, personIds]),
    await scope.sql(invited, [scope.institutionId, addresses]),
  ];
  return erased.reduce((sum, rows) => sum + rows.length, 0);
}

const kept = statement('erasure_kept_emails', 'SELECT id, recipient_id, email_sealed FROM sandbox_emails WHERE institution_id = $1 AND id > $2 ORDER BY id LIMIT $3');

/** At most `limit` of the emails that a sandbox kept, by id. */
export function listKeptEmails(scope: InstitutionScope, after: string, limit: number): Promise<Pick<SandboxEmailRow, 'id' | 'recipient_id' | 'email_sealed'>[]> {
  return scope.sql(kept, [scope.institutionId, after, limit]);
}

const eraseKept = statement('erasure_erase_kept_emails', 'DELETE FROM sandbox_emails WHERE institution_id = $1 AND id = ANY ($2::text[]) RETURNING 1');

/** Deletes emails that a sandbox kept; returns how many. */
export async function eraseKeptEmails(scope: InstitutionScope, ids: readonly string[]): Promise<number> {
  return (await scope.sql(eraseKept, [scope.institutionId, ids])).length;
}
