import type { EmailMessage } from './email';
import { openEmail } from '../people/personalEmail';
import type { SecretBox } from '../secrets/secretBox';

/** Emails sent per batch: the maximum that a crash can repeat. */
export const emailsPerBatch = 10;

/** A claimed email to send, or why there is none: the recipient is gone, or no key decrypts the address. */
export interface ClaimedEmail {
  recipientId: string;
  /** How often this recipient was deferred. */
  tries: number;
  email: EmailMessage | 'nobody' | 'unreadable';
}

/** The encrypted mailbox of a person. */
export interface SealedMailbox {
  institutionId: string;
  userId: string;
  sealed: string;
}

/** Returns the email to an encrypted mailbox; `unreadable` if it cannot be decrypted, so that the other emails are still sent. */
export function emailToSealedMailbox(secrets: SecretBox, mailbox: SealedMailbox, write: (to: string) => EmailMessage): EmailMessage | 'unreadable' {
  const to = openMailbox(secrets, mailbox);
  return to === undefined ? 'unreadable' : write(to);
}

function openMailbox(secrets: SecretBox, { sealed, ...owner }: SealedMailbox): string | undefined {
  try {
    return openEmail(secrets, owner, sealed);
  } catch {
    return undefined;
  }
}
