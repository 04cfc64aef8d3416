import type { EmailKind, EmailRecipientKind } from '../../db/repositories/sandbox/emails';

/** The recipient of an email by kind and id; never an address. */
export interface EmailRecipientId {
  kind: EmailRecipientKind;
  id: string;
}

/** Why and to whom an institution sends an email. */
export interface EmailPurpose {
  institutionId: string;
  kind: EmailKind;
  recipient: EmailRecipientId;
}

const kindsByPrefix: Record<string, EmailRecipientId['kind']> = { stu: 'student', fac: 'faculty', usr: 'guardian', gdn: 'guardian_link', dev: 'developer' };

/** Returns the recipient with an id, whose prefix says the kind. */
export function recipientOf(id: string): EmailRecipientId {
  const kind = kindsByPrefix[id.split('_')[0] ?? ''];
  if (kind === undefined) throw new Error('Emails are sent to people and guardian links');
  return { kind, id };
}
