import type { ApiResponse, TestApi, TestInstitution } from './api';
import { eventually } from './eventually';
import { requestCode, codeIn, codeEmailFor, codeEmailsFor, signIn } from './signInCodes';
import type { ParsedMail } from './stack';

/** An address that no other guardian of the file has. */
let addresses = 0;
export const newGuardianEmail = (): string => `guardian${(addresses += 1)}.${Math.random().toString(36).slice(2, 8)}@mail.example`;

/** Invites a guardian over the API. */
export const inviteGuardian = (api: TestApi, { apiKey }: TestInstitution, student_id: string, guardian_email: string, over: object = {}): Promise<ApiResponse> =>
  api.call('POST', '/guardians', { key: apiKey, body: { student_id, guardian_email, guardian_type: 'mother', ...over } });

/** Backdates a link's last invitation, so that it may be sent again. */
export async function backdateInvitation({ api }: TestApi, linkId: string): Promise<void> {
  await api.domain.database.sql("UPDATE guardian_links SET invited_at = invited_at - interval '10 minutes' WHERE id = $1", [linkId]);
}

/** An email of a link's invitation, once it has arrived. */
export const guardianInvitationEmail = (api: TestApi, linkId: string, nth = 1, kind: 'invitation' | 'reminder' = 'invitation'): Promise<ParsedMail> =>
  eventually(`the ${kind} of ${linkId}`, async () => (await api.stack.mail.messages()).find(({ messageId }) => messageId?.startsWith(`<${linkId}.${nth}.${kind}@`) === true));

/** The token in an invitation's email. */
export const tokenIn = (mail: ParsedMail): string => /[?&]token=([\w.-]+)/.exec(mail.text ?? '')?.[1] ?? '';

/** Accepts an invitation, as anybody may who has its email. */
export const acceptInvitation = (api: TestApi, token: string): Promise<ApiResponse> =>
  api.platform('POST', '/guardian-invitations/accept', { key: undefined, body: { token } });

/** Asks for a code and signs in with it: the session's token. */
export async function guardianSession(api: TestApi, address: string, institution_id?: string): Promise<string> {
  const over = institution_id === undefined ? {} : { institution_id };
  const before = (await codeEmailsFor(api, address)).length;
  await requestCode(api, address, over);
  const code = codeIn(await codeEmailFor(api, address, before + 1));
  const { status, data, body } = await (institution_id === undefined
    ? signIn(api, address, code)
    : api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email: address, code, ...over } }));
  if (status !== 200) throw new Error(`No session: ${status} ${JSON.stringify(body)}`);
  return String(data.session);
}
