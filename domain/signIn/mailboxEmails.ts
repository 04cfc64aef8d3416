import { paragraphsBody, toSingleLine, type EmailMessage } from '../emails/email';
import { toPlainName } from '../emails/plainName';
import { codeLifetimeMs } from './limits';

/** Whose mailbox changes, and to which mailbox the email goes. */
export interface MailboxOwner {
  /** The id of the email. */
  id: string;
  to: string;
  loginEmail: string;
  institutionName: string;
  loginDomain: string;
}

const minutes = codeLifetimeMs / 60_000;

const messageId = ({ id, loginDomain }: MailboxOwner): string => `<${id}@${loginDomain}>`;

/** Returns the email with the code that confirms a new mailbox. */
export function mailboxCodeEmail(owner: MailboxOwner, code: string): EmailMessage {
  const institution = toPlainName(owner.institutionName);
  return {
    to: owner.to,
    subject: toSingleLine(`Confirm your email address for ${institution}`),
    ...paragraphsBody([
      `Please enter this code so that the sign-in codes of ${owner.loginEmail} at ${institution} come to this address: ${code}`,
      `The code is valid for ${minutes} minutes and can be used once. A newer code replaces it.`,
      'If you did not ask for it, ignore this email. Do not give the code to anyone.',
    ]),
    messageId: messageId(owner),
  };
}

/** Returns the email that notifies the previous mailbox of a person that another one has replaced it. */
export function mailboxChangedEmail(owner: MailboxOwner): EmailMessage {
  const institution = toPlainName(owner.institutionName);
  return {
    to: owner.to,
    subject: toSingleLine(`Your email address for ${institution} has changed`),
    ...paragraphsBody([
      `Please check this change: the sign-in codes of ${owner.loginEmail} at ${institution} go to another email address from now on. Other sessions of this account have ended.`,
      `If this was not your wish, tell ${institution} at once.`,
    ]),
    messageId: messageId(owner),
  };
}
