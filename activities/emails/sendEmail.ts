import type { EmailMessage } from '../../domain/emails/email';
import type { EmailPurpose } from '../../domain/emails/emailPurpose';
import { MailError } from '../../outbound/mail/mailError';
import type { EmailSender } from './emailSender';

/** Sends one email; `refused` if the mail server permanently refuses it. Fails with the mailer's error if a retry may succeed. */
export async function sendEmail(sender: EmailSender, email: EmailMessage, purpose: EmailPurpose): Promise<'sent' | 'refused'> {
  try {
    await sender.deliver(email, purpose);
    return 'sent';
  } catch (error) {
    if (error instanceof MailError && error.permanent) return 'refused';
    throw error;
  }
}
