import type { EmailMessage } from './email';
import type { SecretBox } from '../secrets/secretBox';

/** Letters that are sent together: as many as a crash may repeat. */
export const emailsPerBatch = 10;

/** A claimed letter to send, or why there is none: nobody to tell any more, or an address that no key opens. */
export interface ClaimedEmail {
  recipientId: string;
  /** How often this recipient was put off. */
  tries: number;
  email: EmailMessage | 'nobody' | 'unreadable';
}

/** The letter to a sealed mailbox; one that cannot be opened must not keep the others from their letters. */
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
