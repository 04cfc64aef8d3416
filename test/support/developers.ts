import { invitationToken } from '../../domain/developers/invitation';
import type { ApiResponse, TestApi, TestInstitution } from './api';
import { eventually } from './eventually';
import { requestCode, codeIn, codeEmailFor, codeEmailsFor } from './signInCodes';
import type { ParsedMail } from './stack';

/** An address that no other developer of the file has. */
let addresses = 0;
export const newDeveloperEmail = (): string => `developer${(addresses += 1)}.${Math.random().toString(36).slice(2, 8)}@mail.example`;

/** What a call as the institution's admin is sent with. */
export const asAdmin = ({ adminId }: TestInstitution): { headers: Record<string, string> } => ({ headers: { 'x-actor': adminId } });

/** Invites a developer, as the institution's admin. */
export const inviteDeveloper = (api: TestApi, institution: TestInstitution, email = newDeveloperEmail(), over: object = {}): Promise<ApiResponse> =>
  api.platform('POST', `/institutions/${institution.id}/developers`, { body: { email, name: 'Linus Developer', ...over }, ...asAdmin(institution) });

/** The token of a developer's invitation. */
export const developerToken = (api: TestApi, developerId: string, invitation = 1): string =>
  invitationToken(api.api.domain.secrets, { developerId, invitation });

/** Accepts an invitation, as anybody may who has its email. */
export const acceptDeveloperInvitation = (api: TestApi, token: string): Promise<ApiResponse> => api.platform('POST', '/invitations/accept', { key: undefined, body: { token } });

/** A developer who has accepted. */
export async function activeDeveloper(api: TestApi, institution: TestInstitution, email = newDeveloperEmail()): Promise<{ id: string; email: string }> {
  const { data } = await inviteDeveloper(api, institution, email);
  const { status, body } = await acceptDeveloperInvitation(api, developerToken(api, data.id));
  if (status !== 200) throw new Error(`Not accepted: ${status} ${JSON.stringify(body)}`);
  return { id: data.id, email };
}

/** Asks for a code and signs in with it, saying more where that is needed: what signing in answered. */
export async function signInAsDeveloper(api: TestApi, email: string, over: object = {}): Promise<ApiResponse> {
  const before = (await codeEmailsFor(api, email)).length;
  await requestCode(api, email, over);
  const code = codeIn(await codeEmailFor(api, email, before + 1));
  return api.platform('POST', '/sign-in/sessions', { key: undefined, body: { login_email: email, code, ...over } });
}

/** The email of a developer's invitation, once it has arrived. */
export const developerInvitationEmail = (api: TestApi, developerId: string, nth = 1): Promise<ParsedMail> =>
  eventually(`invitation ${nth} of ${developerId}`, async () =>
    (await api.stack.mail.messages()).find(({ messageId }) => messageId?.startsWith(`<${developerId}.${nth}.invitation@`) === true),
  );
