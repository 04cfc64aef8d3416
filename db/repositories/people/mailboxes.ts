import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

const has = statement('mailbox_has', 'SELECT 1 FROM users WHERE institution_id = $1 AND id = $2 AND personal_email_sealed IS NOT NULL');

/** Whether a person has a personal email, to which emails are sent. */
export async function hasMailbox(scope: InstitutionScope, userId: string): Promise<boolean> {
  return (await scope.sql(has, [scope.institutionId, userId])).length > 0;
}

const clearMailbox = statement(
  'mailbox_take',
  `UPDATE users u SET personal_email_sealed = NULL, personal_email_hmac = NULL, updated_at = $3
     FROM users before WHERE u.institution_id = $1 AND u.id = $2 AND before.id = u.id AND before.personal_email_sealed IS NOT NULL
   RETURNING before.personal_email_sealed AS sealed, before.personal_email_hmac AS hmac`,
);
const setMailbox = statement('mailbox_give', 'UPDATE users SET personal_email_sealed = $3, personal_email_hmac = $4, updated_at = $5 WHERE institution_id = $1 AND id = $2');

/** Moves the personal email of one locked person to another: two people never have the same. */
export async function moveMailbox(scope: InstitutionScope, from: string, to: string, now: Date): Promise<void> {
  const [mailbox] = await scope.sql<{ sealed: string; hmac: Buffer }>(clearMailbox, [scope.institutionId, from, now]);
  if (mailbox === undefined) throw new Error('There is no mailbox to move');
  await scope.sql(setMailbox, [scope.institutionId, to, mailbox.sealed, mailbox.hmac, now]);
}
