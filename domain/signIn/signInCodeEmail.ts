import { escapeHtml, type EmailMessage } from '../emails/email';
import { toPlainName } from '../emails/plainName';
import type { IssuedCode } from './issueCode';
import { codeLifetimeMs } from './limits';

const minutes = codeLifetimeMs / 60_000;

/** Returns the email with a sign-in code: where to enter it and with which login, the code, how long it is valid. */
export function signInCodeEmail({ id, code, to, institutionName, loginDomain, loginEmail }: IssuedCode): EmailMessage {
  const institution = toPlainName(institutionName);
  return {
    to,
    subject: `Your sign-in code for ${institution}`,
    text: [
      `Please enter this code to sign in to ${institution} as ${loginEmail}:`,
      `    ${code}`,
      `It is valid for ${minutes} minutes and can be used once. A newer code replaces it.`,
      'If you did not ask for it, ignore this email. Do not give the code to anyone.',
    ].join('\n\n'),
    html: [
      `<p>Please enter this code to sign in to <strong>${escapeHtml(institution)}</strong> as ${escapeHtml(loginEmail)}:</p>`,
      `<p style="font-size:28px;letter-spacing:6px;font-family:monospace"><strong>${code}</strong></p>`,
      `<p>It is valid for ${minutes} minutes and can be used once. A newer code replaces it.</p>`,
      '<p>If you did not ask for it, ignore this email. Do not give the code to anyone.</p>',
    ].join('\n'),
    messageId: `<${id}@${loginDomain}>`,
  };
}
