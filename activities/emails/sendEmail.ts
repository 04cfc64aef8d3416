import type { EmailMessage } from '../../domain/emails/email';
import { MailError } from '../../outbound/mail/mailError';
import type { Mailer } from '../../outbound/mail/mailer';

/** Sends one email; `refused` if the mail server permanently refuses it. Fails with the mailer's error if a retry may succeed. */
export async function sendEmail(mailer: Pick<Mailer, 'send'>, email: EmailMessage): Promise<'sent' | 'refused'> {
  try {
    await mailer.send(email);
    return 'sent';
  } catch (error) {
    if (error instanceof MailError && error.permanent) return 'refused';
    throw error;
  }
}
