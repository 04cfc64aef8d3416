import type { TestInstitution } from '../../../support/api';
import { apiFixture } from '../../../support/apiFixture';
import { acceptDeveloperInvitation, activeDeveloper, asAdmin, newDeveloperEmail, developerToken, inviteDeveloper, signInAsDeveloper } from '../../../support/developers';
import { acceptInvitation, newGuardianEmail, inviteGuardian } from '../../../support/guardians';
import { invitationToken } from '../../../../domain/guardians/invitation';
import { requestCode, codeIn, codeEmailFor, codeEmailsFor, recipientsOf, signIn } from '../../../support/signInCodes';

const { api, institution, call } = apiFixture();

const active = (email?: string, of: TestInstitution = institution) => activeDeveloper(api, of, email);
const keysOf = async (session: string) => (await api.platform('GET', '/keys', { key: session })).data?.total;
const move = (id: string, verb: string, of = institution) => api.platform('POST', `/developers/${id}/${verb}`, asAdmin(of));

/** A guardian of a new student who has accepted. */
async function acceptedGuardian(address: string): Promise<void> {
  const { data: student } = await call('POST', '/students', {});
  const { data } = await inviteGuardian(api, institution, student.id, address);
  expect((await acceptInvitation(api, invitationToken(api.api.domain.secrets, { linkId: data.id, invitation: 1 }))).status).toBe(200);
}

/** No code came, though one that was asked for later did. */
async function gotNone(address: string): Promise<boolean> {
  const { login_email } = (await call('POST', '/students', { personal_email: newGuardianEmail() })).data;
  await requestCode(api, login_email);
  await codeEmailFor(api, login_email);
  return (await codeEmailsFor(api, address)).length === 0;
}

// Contract: keys.portal.developer-creates-and-revokes
it('with the code that came to the own address opens a developer’s session of 12 hours, which creates and revokes keys as theirs', async () => {
  const { id, email } = await active();
  await requestCode(api, email.toUpperCase());
  const mail = await codeEmailFor(api, email);
  expect(recipientsOf(mail)).toEqual([email]);
  const { data } = await signIn(api, email, codeIn(mail));
  expect(data.user).toEqual({ id, kind: 'developer', login_email: email, full_name: 'Linus Developer', status: 'active' });
  expect((Date.parse(data.expires_at) - Date.now()) / 3_600_000).toBeCloseTo(12, 1);
  const { data: key } = await api.platform('POST', `/institutions/${institution.id}/keys`, { key: data.session, body: { name: 'sync', scopes: ['students:read'] } });
  expect(key.created_by).toBe(id);
  expect((await api.platform('DELETE', `/keys/${key.key_id}`, { key: data.session })).status).toBe(200);
  const { data: log } = await api.platform('GET', `/institutions/${institution.id}/audit-log`, { query: { actor_id: id } });
  expect(log.items.map(({ actor, operation }: { actor: object; operation: string }) => [actor, operation])).toEqual([
    [{ kind: 'developer', id, name: 'Linus Developer' }, 'revokeKey'],
    [{ kind: 'developer', id, name: 'Linus Developer' }, 'createKey'],
  ]);
});

it.each<[whose: string, prepare: () => Promise<{ email: string }>]>([
  ['who has not accepted', async () => (await inviteDeveloper(api, institution)).data],
  ['who is suspended', async () => {
    const one = await active();
    await move(one.id, 'suspend');
    return one;
  }],
  ['who is revoked', async () => {
    const one = await active();
    await move(one.id, 'revoke');
    return one;
  }],
  ['who is invited again and has not accepted again', async () => {
    const one = await active();
    await move(one.id, 'revoke');
    await inviteDeveloper(api, institution, one.email);
    return one;
  }],
  ['of a suspended institution', async () => {
    const otherInstitution = await api.institution();
    const one = await active(newDeveloperEmail(), otherInstitution);
    await api.platform('POST', `/institutions/${otherInstitution.id}/suspend`);
    return one;
  }],
])('is refused to somebody %s, as to an unknown address, and no code is mailed', async (_whose, prepare) => {
  const { email } = await prepare();
  const unknown = newDeveloperEmail();
  const [asked, askedUnknown] = [await requestCode(api, email), await requestCode(api, unknown)];
  expect([asked.status, asked.body]).toEqual([askedUnknown.status, askedUnknown.body]);
  expect(await gotNone(email)).toBe(true);
  const [refused, refusedUnknown] = [await signIn(api, email, '123456'), await signIn(api, unknown, '123456')];
  expect([refused.status, refused.body]).toEqual([401, refusedUnknown.body]);
});

it('is refused with a code that came before they were suspended', async () => {
  const { id, email } = await active();
  await requestCode(api, email);
  const code = codeIn(await codeEmailFor(api, email));
  await move(id, 'suspend');
  expect((await signIn(api, email, code)).status).toBe(401);
});

it('a developer in several institutions signs in to the one that they name, else to the one whose invitation they accepted last', async () => {
  const email = newDeveloperEmail();
  const otherInstitution = await api.institution();
  const inOtherInstitution = await active(email, otherInstitution);
  const inInstitution = await active(email);
  expect((await signInAsDeveloper(api, email)).data.user.id).toBe(inInstitution.id);
  expect((await signInAsDeveloper(api, email, { institution_id: otherInstitution.id })).data.user.id).toBe(inOtherInstitution.id);
  await api.platform('POST', `/institutions/${institution.id}/suspend`);
  expect((await signInAsDeveloper(api, email)).data.user.id).toBe(inOtherInstitution.id);
});

it('who is guardian and developer by one address signs in as which they name, else as what they accepted last', async () => {
  const email = newDeveloperEmail();
  await active(email);
  await acceptedGuardian(email);
  const kinds = [];
  for (const over of [{}, { kind: 'developer' }, { kind: 'guardian' }, { kind: 'developer', institution_id: institution.id }]) {
    kinds.push((await signInAsDeveloper(api, email, over)).data.user.kind);
  }
  expect(kinds).toEqual(['guardian', 'developer', 'guardian', 'developer']);
  const { data: guardian } = await signInAsDeveloper(api, email, { kind: 'guardian' });
  expect((await api.platform('GET', '/keys', { key: guardian.session })).body.error).toBe('forbidden');
});

it('the kind that is named opens no account of the other, and means nothing of a login email', async () => {
  const { email } = await active();
  await requestCode(api, email, { kind: 'guardian' });
  expect(await gotNone(email)).toBe(true);
  const { data: student } = await call('POST', '/students', { personal_email: newGuardianEmail() });
  await requestCode(api, student.login_email, { kind: 'developer' });
  expect(codeIn(await codeEmailFor(api, student.login_email))).toMatch(/^\d{6}$/);
});

it('a developer’s session is of no use while the institution is suspended, and comes back with it', async () => {
  const { email } = await active();
  const { data } = await signInAsDeveloper(api, email);
  await api.platform('POST', `/institutions/${institution.id}/suspend`);
  expect((await api.platform('GET', '/keys', { key: data.session })).body.error).toBe('institution_not_approved');
  await api.platform('POST', `/institutions/${institution.id}/approve`);
  expect(await keysOf(data.session)).toBe(1);
  expect((await api.platform('DELETE', '/sign-in/sessions/current', { key: data.session })).status).toBe(200);
  expect((await api.platform('GET', '/keys', { key: data.session })).body.error).toBe('unauthorized');
});

it('X-Actor names an active developer alone: invited, suspended and revoked ones are forbidden', async () => {
  const as = async (id: string) => (await api.platform('GET', '/keys', { headers: { 'x-actor': id } })).body.error;
  const { data: open } = await inviteDeveloper(api, institution);
  expect(await as(open.id)).toBe('forbidden');
  await acceptDeveloperInvitation(api, developerToken(api, open.id));
  expect(await as(open.id)).toBeUndefined();
  await move(open.id, 'suspend');
  expect(await as(open.id)).toBe('forbidden');
  await move(open.id, 'revoke');
  expect(await as(open.id)).toBe('forbidden');
});
