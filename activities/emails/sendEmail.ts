import type { EmailMessage } from '../../domain/emails/email';
import { MailError } from '../../outbound/mail/mailError';
import type { Mailer } from '../../outbound/mail/mailer';

/** Sends one letter; `refused` when the mail server never takes it. Raises the mailer's error when it may go later. */
export async function sendEmail(mailer: Pick<Mailer, 'send'>, letter: EmailMessage): Promise<'sent' | 'refused'> {
  try {
    await mailer.send(letter);
    return 'sent';
  } catch (error) {
    if (error instanceof MailError && error.permanent) return 'refused';
    throw error;
  }
}
