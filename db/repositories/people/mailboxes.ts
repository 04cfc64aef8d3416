import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

const has = statement('mailbox_has', 'SELECT 1 FROM users WHERE institution_id = $1 AND id = $2 AND personal_email_sealed IS NOT NULL');

/** Whether a person has a personal email, to which emails are sent. */
export async function hasMailbox(scope: InstitutionScope, userId: string): Promise<boolean> {
  return (await scope.sql(has, [scope.institutionId, userId])).length > 0;
}

const clearMailbox = statement(
  'mailbox_remove',
  `UPDATE users u SET personal_email_sealed = NULL, personal_email_hmac = NULL, updated_at = $3
     FROM users before WHERE u.institution_id = $1 AND u.id = $2 AND before.id = u.id AND before.personal_email_sealed IS NOT NULL
   RETURNING before.personal_email_sealed AS sealed`,
);
const setMailbox = statement('mailbox_give', 'UPDATE users SET personal_email_sealed = $3, personal_email_hmac = $4, updated_at = $5 WHERE institution_id = $1 AND id = $2');

/** Removes the personal email of a locked person, and returns it as it was sealed. */
export async function removeMailbox(scope: InstitutionScope, userId: string, now: Date): Promise<string> {
  const [mailbox] = await scope.sql<{ sealed: string }>(clearMailbox, [scope.institutionId, userId, now]);
  if (mailbox === undefined) throw new Error('There is no mailbox to move');
  return mailbox.sealed;
}

/** Gives a locked person a personal email. */
export async function setPersonalEmail(scope: InstitutionScope, userId: string, { sealed, fingerprint }: { sealed: string; fingerprint: Buffer }, now: Date): Promise<void> {
  await scope.sql(setMailbox, [scope.institutionId, userId, sealed, fingerprint, now]);
}
