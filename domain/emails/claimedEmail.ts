import type { EmailMessage } from './email';
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

/** Returns the email to an encrypted mailbox; `unreadable` if it cannot be decrypted, so that the other emails are still sent. */
export function emailToSealedMailbox(secrets: SecretBox, sealed: string, write: (to: string) => EmailMessage): EmailMessage | 'unreadable' {
  const to = openMailbox(secrets, sealed);
  return to === undefined ? 'unreadable' : write(to);
}

function openMailbox(secrets: SecretBox, sealed: string): string | undefined {
  try {
    return secrets.open(sealed);
  } catch {
    return undefined;
  }
}
