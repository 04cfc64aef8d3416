import { newId } from '../../../domain/ids';
import { sealEmail } from '../../../domain/people/personalEmail';
import type { TestApi, TestInstitution } from '../api';
import { registerSecret } from '../leaks';

/** A link between a student and a guardian's mailbox, verified unless it says otherwise; returns its id. */
export async function seedGuardian({ api }: TestApi, { id: institutionId }: TestInstitution, studentId: string, email: string, verified: 'verified' | 'unverified' = 'verified'): Promise<string> {
  const id = newId('gdn');
  registerSecret(email);
  const personId = newId('usr');
  const { sealed, fingerprint } = sealEmail(api.domain.secrets, { institutionId, userId: personId }, email);
  await api.domain.database.sql(
    `WITH person AS (
       INSERT INTO users (id, institution_id, kind, status, personal_email_sealed, personal_email_hmac, created_at, updated_at)
       VALUES ($7, $2, 'guardian', 'active', $4, $5, now(), now())
       ON CONFLICT (personal_email_hmac, institution_id) WHERE kind = 'guardian' DO UPDATE SET updated_at = now() RETURNING id
     )
     INSERT INTO guardian_links (id, institution_id, student_id, guardian_id, guardian_type, is_primary, invited_at, expires_at, accepted_at, verified_at, created_at, updated_at)
     SELECT $1, $2, $3, id, 'mother', false, now(), now() + interval '14 days', v.at, v.at, now(), now()
       FROM person CROSS JOIN (SELECT CASE $6 WHEN 'verified' THEN now() END AS at) v`,
    [id, institutionId, studentId, sealed, fingerprint, verified, personId],
  );
  return id;
}

/** A verified guardian for each student, whose mailbox is named after the student's id; one statement for any number. */
export async function seedGuardians({ api }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, studentIds: readonly string[]): Promise<void> {
  const mailboxes = studentIds.map((id) => sealEmail(api.domain.secrets, { institutionId, userId: `usr_${id}` }, `${id}@mail.example`));
  for (const id of studentIds) registerSecret(`${id}@mail.example`);
  await api.domain.database.sql(
    `WITH given AS (
       SELECT * FROM unnest($2::text[], $3::text[], $4::bytea[]) AS g (student_id, sealed, fingerprint)
     ), people AS (
       INSERT INTO users (id, institution_id, kind, status, personal_email_sealed, personal_email_hmac, created_at, updated_at)
       SELECT 'usr_' || student_id, $1, 'guardian', 'active', sealed, fingerprint, now(), now() FROM given
     )
     INSERT INTO guardian_links (id, institution_id, student_id, guardian_id, guardian_type, is_primary, invited_at, expires_at, accepted_at, verified_at, created_at, updated_at)
     SELECT 'gdn_' || student_id, $1, student_id, 'usr_' || student_id, 'mother', false, now(), now(), now(), now(), now(), now() FROM given`,
    [institutionId, studentIds, mailboxes.map(({ sealed }) => sealed), mailboxes.map(({ fingerprint }) => fingerprint)],
  );
}
