import { findInvitedDeveloper } from '../../db/repositories/developers/invitations';
import { findInvitedGuardian } from '../../db/repositories/guardians/invitations';
import { invitationEmail as developerEmail } from '../../domain/developers/invitationEmail';
import { resendInvitation as resendToDeveloper } from '../../domain/developers/resendInvitation';
import { invitationEmail as guardianEmail } from '../../domain/guardians/invitationEmail';
import { resendInvitation as resendToGuardian } from '../../domain/guardians/resendInvitation';
import { transact } from '../../domain/transact';
import { withConnection } from '../../local/programs/postgres';
import { systemCaller } from '../support/api';
import { inviteDeveloper } from '../support/developers';
import { inviteGuardian, newGuardianEmail } from '../support/guardians';
import { apiFixture } from '../support/apiFixture';

const portal = 'https://portal.example/';
const { api, institution } = apiFixture();

it('an invitation has the same Message-ID each time it is sent; if it was created after a backup was restored, its Message-ID includes the epoch', async () => {
  const { domain } = api.api;
  const scope = { institutionId: institution.id, sql: domain.database.sql };
  const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: {} });
  const { data: link } = await inviteGuardian(api, institution, student.id, newGuardianEmail());
  const { data: developer } = await inviteDeveloper(api, institution);
  const messageIds = async (): Promise<string[]> => {
    const [toGuardian, toDeveloper] = [await findInvitedGuardian(scope, link.id), await findInvitedDeveloper(scope, developer.id)];
    if (toGuardian === undefined || toDeveloper === undefined) throw new Error('Nobody is invited');
    const emails = [guardianEmail(domain.secrets, toGuardian, 'invitation', portal), guardianEmail(domain.secrets, toGuardian, 'reminder', portal), developerEmail(domain.secrets, toDeveloper, portal)];
    return emails.map(({ messageId }) => messageId);
  };
  const expected = (invitation: number, epoch = ''): string[] =>
    [`${link.id}.${invitation}.invitation`, `${link.id}.${invitation}.reminder`, `${developer.id}.${invitation}.invitation`].map((id) => `<${id}${epoch}@${institution.loginDomain}>`);
  expect(await messageIds()).toEqual(expected(1));

  const [{ epoch } = { epoch: '' }] = await withConnection(api.stack.ownerDatabaseUrl, async (client) => (await client.query<{ epoch: string }>('SELECT begin_workflow_epoch() AS epoch')).rows);
  // What was invited before is sent again under the same ones.
  expect(await messageIds()).toEqual(expected(1));
  await transact(domain, systemCaller(institution.id, new Date(Date.now() + 3_600_000)), async (tx) => {
    await resendToGuardian(tx, link.id);
    await resendToDeveloper(tx, institution.adminId, developer.id);
  });
  expect([await messageIds(), await messageIds()]).toEqual([expected(2, `.${epoch}`), expected(2, `.${epoch}`)]);
});
