import { createKey } from '../../../../domain/keys/createKey';
import { transact } from '../../../../domain/transact';
import type { TestInstitution } from '../../../support/api';
import { apiFixture } from '../../../support/apiFixture';
import { acceptDeveloperInvitation, activeDeveloper, asAdmin, newDeveloperEmail, developerToken, inviteDeveloper, signInAsDeveloper } from '../../../support/developers';
import { requestCode, codeIn, codeEmailFor, signIn } from '../../../support/signInCodes';

const { api, institution, sql, call } = apiFixture();

const dayMs = 24 * 3_600_000;

/** A move of a developer, as the admin of the institution or of another one. */
const move = (id: string, verb: string, body?: object, of: TestInstitution = institution) =>
  api.platform('POST', `/developers/${id}/${verb}`, { ...asAdmin(of), ...(body === undefined ? {} : { body }) });
const list = async (of = institution) => (await api.platform('GET', '/developers', asAdmin(of))).data;
const invited = async (email?: string) => (await inviteDeveloper(api, institution, email)).data;
const active = (email?: string) => activeDeveloper(api, institution, email);
const accept = (id: string, nth = 1) => acceptDeveloperInvitation(api, developerToken(api, id, nth));
const expire = (id: string) => sql("UPDATE developers SET expires_at = now() - interval '1 ms' WHERE user_id = $1", [id]);
const errors = async (...answers: Promise<{ body: { error?: string } }>[]) => (await Promise.all(answers)).map(({ body }) => body.error);
const keyOf = async (actor: string, of = institution) =>
  (await api.platform('POST', `/institutions/${of.id}/keys`, { headers: { 'x-actor': actor }, body: { name: 'theirs', scopes: ['students:read'] } })).data;
const works = async (apiKey: string) => (await api.call('GET', '/students', { key: apiKey })).status === 200;
const outboxRowsOf = (id: string) => sql<{ kind: string; workflow_id: string }>('SELECT kind, workflow_id FROM owed_workflows WHERE workflow_id LIKE $1 ORDER BY 1, 2', [`${id}:%`]);

describe('inviting', () => {
  // Contract: portal.admin.manages-developers, developers.invitation.valid-7-days, limits.developer-invitation.7-days
  it('answers a developer who is invited for 7 days, with the address, and appends the email’s workflow to the outbox', async () => {
    const email = newDeveloperEmail();
    const { status, data } = await inviteDeveloper(api, institution, email.toUpperCase(), { name: '  Linus  ' });
    expect([status, data]).toEqual([200, {
      id: expect.stringMatching(/^dev_/), email, name: 'Linus', status: 'invited', invited_by: institution.adminId,
      invited_at: data.created_at, expires_at: expect.any(String), accepted_at: null, suspended_at: null, revoked_at: null, scope_ceiling: null, created_at: expect.any(String),
    }]);
    expect(Date.parse(data.expires_at) - Date.parse(data.invited_at)).toBe(7 * dayMs);
    expect(await outboxRowsOf(data.id)).toEqual([{ kind: 'start', workflow_id: `${data.id}:1` }]);
  });

  it('is already_added for an address that is invited, expired, active or suspended, in any case', async () => {
    const [open, old, working, inactive] = [await invited(), await invited(), await active(), await active()];
    await expire(old.id);
    await move(inactive.id, 'suspend');
    for (const { email } of [open, old, working, inactive]) {
      const { status, body } = await inviteDeveloper(api, institution, email.toUpperCase());
      expect([status, body.error]).toEqual([409, 'already_added']);
    }
    expect((await list()).total).toBe(4);
  });

  it('of a revoked developer invites them again, under the same id and the new name, without what was before', async () => {
    const { id, email } = await active();
    await move(id, 'revoke');
    const { data } = await inviteDeveloper(api, institution, email, { name: 'Back Again' });
    expect(data).toMatchObject({ id, name: 'Back Again', status: 'invited', accepted_at: null, revoked_at: null });
    expect(await errors(accept(id))).toEqual(['conflict']);
    expect((await accept(id, 2)).data.status).toBe('active');
  });

  it('of one address many times at once makes one developer', async () => {
    const email = newDeveloperEmail();
    const answers = await Promise.all(Array.from({ length: 8 }, () => inviteDeveloper(api, institution, email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect((await list()).total).toBe(1);
  });

  it('refuses a login email of the institution, and what is no address or no name', async () => {
    for (const over of [{ email: institution.adminLoginEmail }, { email: 'nobody' }, { name: '' }]) {
      const { status, body } = await inviteDeveloper(api, institution, newDeveloperEmail(), over);
      expect([status, body.error, body.issues[0].path]).toEqual([422, 'validation_error', Object.keys(over)[0]]);
    }
  });

  it('of an address that is a student’s personal email, a guardian’s and the admin’s own works all the same, and the people stay as they are', async () => {
    const email = newDeveloperEmail();
    const { data: student } = await call('POST', '/students', { personal_email: email });
    await call('POST', '/guardians', { student_id: student.id, guardian_email: email, guardian_type: 'mother' });
    const people = async () => (await call('GET', '/institution')).data.users;
    const before = await people();
    expect((await inviteDeveloper(api, institution, email)).status).toBe(200);
    expect(await people()).toEqual(before);
    const other = newDeveloperEmail();
    await inviteDeveloper(api, institution, other);
    expect((await call('POST', '/students', { personal_email: other })).status).toBe(200);
  });

  it('may be the platform’s doing, but not for an institution that is not approved', async () => {
    const body = { email: newDeveloperEmail(), name: 'Linus' };
    const { data } = await api.platform('POST', `/institutions/${institution.id}/developers`, { body });
    expect([data.status, data.invited_by]).toEqual(['invited', 'platform']);
    const otherInstitution = await api.institution();
    await api.platform('POST', `/institutions/${otherInstitution.id}/suspend`);
    expect(await errors(api.platform('POST', `/institutions/${otherInstitution.id}/developers`, { body }))).toEqual(['institution_not_approved']);
  });
});

describe('an invitation', () => {
  it('is accepted by the token of its email, once, for any number of calls at once', async () => {
    const { id } = await invited();
    const answers = await Promise.all([accept(id), accept(id), accept(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 200)?.data).toEqual({ id, status: 'active', institution: { id: institution.id, name: 'North School' } });
    const [row] = (await list()).items;
    expect([row.status, row.accepted_at]).toEqual(['active', expect.any(String)]);
    expect(await outboxRowsOf(id)).toContainEqual({ kind: 'signal', workflow_id: `${id}:1` });
  });

  it('is not found by any token that the service did not make', async () => {
    const { id } = await invited();
    const token = developerToken(api, id);
    const other = developerToken(api, (await invited()).id);
    const wrong = [`${token}x`, token.slice(0, -1), `${id}.1.${other.slice(-43)}`, token.replace('.1.', '.2.'), token.replace('.1.', '.01.'), 'nothing', developerToken(api, 'dev_01jd4k6f2mep2s5xg5yhc8m1zz')];
    for (const one of wrong) expect([one, (await acceptDeveloperInvitation(api, one)).body.error]).toEqual([one, 'not_found']);
    expect((await acceptDeveloperInvitation(api, token)).status).toBe(200);
  });

  it('of a guardian is none of a developer, nor the other way round', async () => {
    const { id } = await invited();
    const body = { token: developerToken(api, id) };
    expect((await api.platform('POST', '/guardian-invitations/accept', { key: undefined, body })).body.error).toBe('not_found');
  });

  // Contract: developers.invitation.valid-7-days, limits.developer-invitation.7-days
  it('is a conflict once it is used, 7 days old, replaced or revoked', async () => {
    const [used, old, replaced, revoked] = [await active(), await invited(), await invited(), await invited()];
    await expire(old.id);
    await move(replaced.id, 'resend');
    await move(revoked.id, 'revoke');
    expect(await errors(...[used, old, replaced, revoked].map(({ id }) => accept(id)))).toEqual(['conflict', 'conflict', 'conflict', 'conflict']);
    expect((await list()).items.map(({ status }: { status: string }) => status)).toEqual(['revoked', 'invited', 'expired', 'active']);
  });

  it('waits while the institution is suspended', async () => {
    const { id } = await invited();
    await api.platform('POST', `/institutions/${institution.id}/suspend`);
    expect(await errors(accept(id))).toEqual(['institution_not_approved']);
    await api.platform('POST', `/institutions/${institution.id}/approve`);
    expect((await accept(id)).status).toBe(200);
  });

  // Contract: portal.admin.manages-developers
  it('is sent again for 7 more days, expired or not, and the older one is worth nothing', async () => {
    const { id } = await invited();
    await expire(id);
    const { data } = await move(id, 'resend');
    expect([data.status, Date.parse(data.expires_at) - Date.parse(data.invited_at)]).toEqual(['invited', 7 * dayMs]);
    expect(await outboxRowsOf(id)).toEqual(expect.arrayContaining([{ kind: 'start', workflow_id: `${id}:2` }, { kind: 'signal', workflow_id: `${id}:1` }]));
    expect(await errors(accept(id, 1))).toEqual(['conflict']);
    expect((await accept(id, 2)).status).toBe(200);
  });

  it('is not sent again to a developer who has accepted, is suspended or revoked', async () => {
    const [working, inactive, gone] = [await active(), await active(), await invited()];
    await move(inactive.id, 'suspend');
    await move(gone.id, 'revoke');
    expect(await errors(...[working, inactive, gone].map(({ id }) => move(id, 'resend')))).toEqual(['conflict', 'conflict', 'conflict']);
  });
});

describe('suspending and revoking', () => {
  // Contract: portal.admin.manages-developers, developers.suspension.ends-sessions-revokes-keys
  it.each([['suspend', 'suspended'], ['revoke', 'revoked']])('to %s ends sessions at once and revokes every key that they created, nobody else’s', async (verb, status) => {
    const [one, other] = [await active(), await active()];
    const { data: session } = await signInAsDeveloper(api, one.email);
    const [theirs, others, admins] = [await keyOf(one.id), await keyOf(other.id), await keyOf(institution.adminId)];
    expect([theirs.created_by, await works(theirs.api_key)]).toEqual([one.id, true]);
    const { data } = await move(one.id, verb);
    expect([data.status, data[`${status}_at`]]).toEqual([status, expect.any(String)]);
    expect([await works(theirs.api_key), await works(others.api_key), await works(admins.api_key)]).toEqual([false, true, true]);
    expect((await api.platform('GET', '/keys', { key: session.session })).status).toBe(401);
    expect(await errors(api.platform('GET', '/keys', { headers: { 'x-actor': one.id } }))).toEqual(['forbidden']);
  });

  // Contract: developers.suspension.ends-sessions-revokes-keys
  it('to suspend with keep_keys leaves the keys, until it is asked for without', async () => {
    const { id, email } = await active();
    const { data: session } = await signInAsDeveloper(api, email);
    const { api_key: key } = await keyOf(id);
    const { data: first } = await move(id, 'suspend', { keep_keys: true });
    expect([first.status, await works(key)]).toEqual(['suspended', true]);
    expect((await api.platform('GET', '/keys', { key: session.session })).status).toBe(401);
    const { data: again } = await move(id, 'suspend');
    expect([again, await works(key)]).toEqual([first, false]);
  });

  it('a suspended developer is reactivated, signs in again, and revoked keys stay revoked', async () => {
    const { id, email } = await active();
    const { data: before } = await signInAsDeveloper(api, email);
    const { api_key: key } = await keyOf(id);
    await move(id, 'suspend');
    const { data } = await move(id, 'reactivate');
    expect([data.status, data.suspended_at]).toEqual(['active', null]);
    expect((await api.platform('GET', '/keys', { key: before.session })).status).toBe(401);
    const { data: after } = await signInAsDeveloper(api, email);
    expect((await api.platform('GET', '/keys', { key: after.session })).status).toBe(200);
    expect(await works(key)).toBe(false);
    expect((await move(id, 'reactivate')).data).toEqual(data);
  });

  it('to revoke takes an open invitation back, and a second time changes nothing', async () => {
    const { id } = await invited();
    const { data } = await move(id, 'revoke');
    expect(data.status).toBe('revoked');
    expect((await move(id, 'revoke')).data).toEqual(data);
    expect(await outboxRowsOf(id)).toContainEqual({ kind: 'signal', workflow_id: `${id}:1` });
  });

  it('is a conflict where there is nothing to suspend or let in again', async () => {
    const [open, gone] = [await invited(), await active()];
    await move(gone.id, 'revoke');
    expect(await errors(...[open, gone].flatMap(({ id }) => ['suspend', 'reactivate'].map((verb) => move(id, verb))))).toEqual(Array.from({ length: 4 }, () => 'conflict'));
  });

  it('leaves no key of theirs that works, though they create keys meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await active();
      const create = () => api.platform('POST', `/institutions/${institution.id}/keys`, { headers: { 'x-actor': id }, body: { name: 'race', scopes: ['students:read'] } });
      const [created] = await Promise.all([Promise.all([create(), create(), create()]), move(id, 'suspend')]);
      for (const { status, body } of created) if (status !== 200) expect(body.error).toBe('forbidden');
      expect(await sql('SELECT 1 FROM api_keys WHERE created_by = $1 AND revoked_at IS NULL', [id])).toEqual([]);
    }
  });

  it('refuses a key to a developer who was suspended after their call was authorized', async () => {
    const { id } = await active();
    await move(id, 'suspend');
    const late = transact(api.api.domain, institution.caller, (tx) => createKey(tx, id, { name: 'late', scopes: ['students:read'] }));
    await expect(late).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('leaves no session, though they sign in meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, email } = await active();
      await requestCode(api, email);
      const code = codeIn(await codeEmailFor(api, email));
      await Promise.all([signIn(api, email, code), move(id, 'revoke')]);
      expect(await sql('SELECT 1 FROM sessions WHERE user_id = $1 AND ended_at IS NULL', [id])).toEqual([]);
    }
  });
});

describe('the lists', () => {
  it('are the same by institution_id, by path and for the admin without either, newest first, in pages', async () => {
    const [first, second] = [await invited(), await invited()];
    const answers = await Promise.all([
      api.platform('GET', '/developers', { query: { institution_id: institution.id } }),
      api.platform('GET', '/developers', asAdmin(institution)),
      api.platform('GET', `/institutions/${institution.id}/developers`),
      api.platform('GET', `/institutions/${institution.id}/developers`, asAdmin(institution)),
    ]);
    for (const { data } of answers) expect(data).toMatchObject({ items: [{ id: second.id }, { id: first.id }], total: 2 });
    const { data: page } = await api.platform('GET', '/developers', { query: { limit: 1, page: 2 }, ...asAdmin(institution) });
    expect(page).toMatchObject({ items: [{ id: first.id }], page: 2, limit: 1, total: 2, has_more: false });
  });

  // Contract: errors.400.institution-required
  it('need institution_id from the platform', async () => {
    const { status, body } = await api.platform('GET', '/developers');
    expect([status, body.error]).toEqual([400, 'institution_required']);
  });

  it('have another institution’s developers for nobody but the platform', async () => {
    const otherInstitution = await api.institution();
    const { id } = await invited();
    expect((await list(otherInstitution)).total).toBe(0);
    for (const verb of ['resend', 'suspend', 'reactivate', 'revoke']) {
      const [foreign, unknown] = [await move(id, verb, undefined, otherInstitution), await move('dev_01jd4k6f2mep2s5xg5yhc8m1zz', verb, undefined, otherInstitution)];
      expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
      expect((await api.platform('POST', `/developers/dev_01jd4k6f2mep2s5xg5yhc8m1zz/${verb}`)).status).toBe(404);
    }
    expect((await api.platform('POST', `/developers/${id}/revoke`)).data.status).toBe('revoked');
  });
});
