import type { EmailMessage } from '../../domain/emails/email';
import { createMailer, type Mailer } from '../../outbound/mail/mailer';
import { stack, type ParsedMail, type TestStack } from './stack';

/** Letters of the file that calls it, sent by a real mailer to a real mail server. */
export interface MailFixture {
  /** Sends a letter and answers it as it arrived. */
  sendAndReceive(letter: EmailMessage): Promise<ParsedMail>;
}

/** A mailer for all tests of the file that calls it. */
export function mailFixtureForAllTests(): MailFixture {
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
    sendAndReceive: async (letter) => {
      await mailer.send(letter);
      return testStack.mail.waitFor(({ messageId }) => messageId === letter.messageId, 5_000);
    },
  };
}

/** The lines of a letter's text. */
export const linesOf = ({ text }: ParsedMail): string[] => (text ?? '').trim().split(/\r?\n/);
