import type { ApiResponse, TestApi } from './api';
import { eventually } from './eventually';
import type { ParsedMail } from './stack';

/** The code in an email. */
export const codeIn = (mail: ParsedMail): string => /^ {4}(\d{6})$/m.exec(mail.text ?? '')?.[1] ?? '';

/** The recipients of an email. */
export const recipientsOf = (mail: ParsedMail): (string | undefined)[] => (mail.to ?? []).map(({ address }) => address);

/** Every email with a code for one account so far, oldest first. */
export async function codeEmailsFor(api: TestApi, loginEmail: string): Promise<ParsedMail[]> {
  return (await api.stack.mail.messages()).filter(({ text }) => text?.includes(loginEmail) === true).filter((mail) => codeIn(mail) !== '');
}

/** The nth email about one account, once it has arrived. */
export const codeEmailFor = (api: TestApi, loginEmail: string, nth = 1): Promise<ParsedMail> =>
  eventually(`email ${nth} to an account`, async () => (await codeEmailsFor(api, loginEmail))[nth - 1]);

const accountIn = (mail: ParsedMail): string => /\b(?:student|faculty)\d+\.[0-9a-f]{8}@[\w.-]*\w/.exec(mail.text ?? '')?.[0] ?? '';

/** The newest code of each of these accounts, once all have arrived; each email is read once. */
export function codesOf(api: TestApi, loginEmails: readonly string[]): Promise<Map<string, string>> {
  return eventually('a code for every account', async () => {
    const emails = (await api.stack.mail.messages()).filter((mail) => codeIn(mail) !== '');
    const codes = new Map(emails.map((mail) => [accountIn(mail), codeIn(mail)]));
    return loginEmails.every((loginEmail) => codes.has(loginEmail)) && codes;
  });
}

/** Asks for a sign-in code, as anybody may. */
export const requestCode = (api: TestApi, login_email: string, over: object = {}): Promise<ApiResponse> =>
  api.platform('POST', '/sign-in/codes', { key: undefined, body: { login_email, ...over } });

/** Signs in with a code. */
export const signIn = (api: TestApi, login_email: string, code: string): Promise<ApiResponse> =>
  api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email, code } });

/** Requests a code, reads its email and signs in with it: the email, and the response to signing in. */
export async function signInByMail(api: TestApi, loginEmail: string): Promise<{ email: ParsedMail; answer: ApiResponse }> {
  const before = (await codeEmailsFor(api, loginEmail)).length;
  await requestCode(api, loginEmail);
  const email = await codeEmailFor(api, loginEmail, before + 1);
  return { email, answer: await signIn(api, loginEmail, codeIn(email)) };
}
