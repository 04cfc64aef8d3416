import { searchAttributes } from '../../workflows/contract';
import type { developerInvitation } from '../../workflows/developerInvitation';
import { acceptDeveloperInvitation, asAdmin, developerInvitationEmail, inviteDeveloper, signInAsDeveloper } from '../support/developers';
import { eventually } from '../support/eventually';
import { tokenIn } from '../support/guardians';
import { historyText, recordHistory } from '../support/histories';
import { recipientsOf } from '../support/signInCodes';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution } = fixture;

const invitationOf = (id: string, nth = 1) => fixture.temporal.client.workflow.getHandle<typeof developerInvitation>(`${id}:${nth}`);
const details = async (id: string) => (await invitationOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;

// Contract: keys.portal.developer-creates-and-revokes, portal.admin.manages-developers
it('from the invitation by an admin to a key of the developer’s: by the token of the email, a code, and a session', async () => {
  const address = 'sensitive.developer@mail.example';
  const { data: developer } = await inviteDeveloper(api, institution, address, { name: 'Sensitive <Linus>' });
  const mail = await developerInvitationEmail(api, developer.id);
  expect([recipientsOf(mail), mail.subject]).toEqual([[address], 'Invitation to develop for North School']);
  expect(mail.text).toContain(`${api.settings.portalUrl}?token=${developer.id}.1.`);
  expect(mail.html).toContain('Sensitive &lt;Linus&gt;');
  expect(await eventually('the email on record', async () => (await details(developer.id)).includes('email at') && details(developer.id))).toMatch(
    new RegExp(`^Invitation 1 of \`${developer.id}\` is with the developer: email at \\S+Z\\. It expires at ${developer.expires_at}\\.$`),
  );

  expect((await acceptDeveloperInvitation(api, tokenIn(mail))).data).toMatchObject({ id: developer.id, status: 'active' });
  expect(await invitationOf(developer.id).result()).toEqual({ outcome: 'accepted', letters: 1 });
  expect(await details(developer.id)).toBe(`Invitation 1 of \`${developer.id}\`: The developer has accepted it.`);
  const { typedSearchAttributes: found } = await invitationOf(developer.id).describe();
  expect([found.get(searchAttributes.institutionId), found.get(searchAttributes.outcome)]).toEqual([institution.id, 'accepted']);
  const history = await historyText(invitationOf(developer.id));
  expect(history).toContain(`Invite a developer: ${developer.id}, invitation 1`);
  expect(history).not.toMatch(/sensitive/i);
  expect(history).not.toContain(tokenIn(mail).slice(-43));
  await recordHistory('developerInvitation.accepted', invitationOf(developer.id));

  const { data } = await signInAsDeveloper(api, address);
  const { data: key } = await api.platform('POST', `/institutions/${institution.id}/keys`, { key: data.session, body: { name: 'sync', scopes: ['students:read'] } });
  expect((await api.call('GET', '/students', { key: key.api_key })).status).toBe(200);
});

it('an invitation that is sent again, or taken back, ends its workflow at once', async () => {
  const { data: developer } = await inviteDeveloper(api, institution);
  await developerInvitationEmail(api, developer.id);
  await api.platform('POST', `/developers/${developer.id}/resend`, asAdmin(institution));
  expect(await invitationOf(developer.id).result()).toMatchObject({ outcome: 'replaced' });
  expect(tokenIn(await developerInvitationEmail(api, developer.id, 2))).toMatch(new RegExp(`^${developer.id}\\.2\\.`));
  await api.platform('POST', `/developers/${developer.id}/revoke`, asAdmin(institution));
  expect(await invitationOf(developer.id, 2).result()).toMatchObject({ outcome: 'revoked' });
});
