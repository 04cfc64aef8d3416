import type { EmailMessage } from '../../domain/emails/email';
import { createMailer, type Mailer } from '../../outbound/mail/mailer';
import { stack, type ParsedMail, type TestStack } from './stack';

/** Emails of the calling file, sent by a real mailer to a real mail server. */
export interface MailFixture {
  /** Sends an email and returns it as it arrived. */
  sendAndReceive(email: EmailMessage): Promise<ParsedMail>;
}

/** A mailer for all tests of the calling file. */
export function mailFixture(): MailFixture {
  let testStack: TestStack;
  let mailer: Mailer;

  beforeAll(async () => {
    testStack = await stack();
    mailer = createMailer({ smtpUrl: testStack.smtpUrl, from: 'North <no-reply@north.example>' });
  });

  afterAll(async () => {
    await mailer.close();
    await testStack.stop();
  });

  return {
    sendAndReceive: async (email) => {
      await mailer.send(email);
      return testStack.mail.waitFor(({ messageId }) => messageId === email.messageId);
    },
  };
}

/** The lines of an email's text. */
export const linesOf = ({ text }: ParsedMail): string[] => (text ?? '').trim().split(/\r?\n/);
