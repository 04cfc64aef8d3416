import { findSandbox } from '../../db/repositories/sandbox/sandboxes';
import type { Domain } from '../../domain/context';
import type { EmailMessage } from '../../domain/emails/email';
import type { EmailPurpose } from '../../domain/emails/emailPurpose';
import { keepEmail } from '../../domain/sandbox/keptEmails';
import type { Mailer } from '../../outbound/mail/mailer';

/** The one way out of every email: a sandbox keeps its emails, any other institution sends them. */
export interface EmailSender {
  /** Sends or keeps an email; fails as the mailer does. */
  deliver(email: EmailMessage, purpose: EmailPurpose): Promise<void>;
}

/** Returns the sender of all emails over one mailer. */
export function createEmailSender(domain: Pick<Domain, 'database' | 'secrets'>, mailer: Pick<Mailer, 'send'>): EmailSender {
  return {
    deliver: async (email, purpose) => {
      const sandbox = await findSandbox(domain.database.sql, purpose.institutionId);
      if (sandbox === undefined) await mailer.send(email);
      else await keepEmail(domain, sandbox, email, purpose, new Date());
    },
  };
}
