import { startApi } from '../../../api/start';
import { createLogger } from '../../../config/logger';
import { apiFixture } from '../../support/apiFixture';
import { addStaffMember } from '../../support/staff';

const { api, institution, sql } = apiFixture({ institutionPer: 'file' });

const errorOf = ({ status, body }: { status: number; body: { error?: string } }): unknown[] => [status, body.error];
const listAs = (key: string) => api.platform('GET', '/institutions', { key, query: { limit: 1 } });

describe('a person of the staff', () => {
  it('is added by the platform or an operator, listed, read and changed', async () => {
    const olga = await addStaffMember(api, 'operator', 'Olga');
    const email = `ben.${olga.id.slice(-8)}@platform.example`;
    const { data: ben } = await api.platform('POST', '/staff', { key: olga.token, body: { name: 'Ben', email: email.toUpperCase(), role: 'support' } });
    expect(ben).toEqual({ id: ben.id, name: 'Ben', email, role: 'support', status: 'active', signs_in_with: null, created_by: olga.id, created_at: ben.created_at, revoked_at: null });
    expect((await api.platform('GET', `/staff/${ben.id}`)).data).toEqual(ben);
    expect((await api.platform('GET', '/staff', { query: { limit: 100 } })).data.items).toContainEqual(ben);
    expect((await api.platform('PATCH', `/staff/${ben.id}`, { body: { name: 'Ben B.', role: 'operator' } })).data).toEqual({ ...ben, name: 'Ben B.', role: 'operator' });
  });

  it('of any role reads who they are; the platform token is nobody', async () => {
    for (const role of ['support', 'operator'] as const) {
      const person = await addStaffMember(api, role);
      const { data } = await api.platform('GET', '/staff/me', { key: person.token });
      expect(data).toEqual((await api.platform('GET', `/staff/${person.id}`)).data);
    }
    expect(errorOf(await api.platform('GET', '/staff/me'))).toEqual([404, 'not_found']);
    expect(errorOf(await api.platform('GET', '/staff/me', { key: 'svc_staff_unknown' }))).toEqual([401, 'unauthorized']);
  });

  it('has an email of their own: another one with it is already_added, a change to it a conflict', async () => {
    const [sam, ben] = [await addStaffMember(api), await addStaffMember(api)];
    expect(errorOf(await api.platform('POST', '/staff', { body: { name: 'S', email: sam.email, role: 'support' } }))).toEqual([409, 'already_added']);
    expect(errorOf(await api.platform('PATCH', `/staff/${ben.id}`, { body: { email: sam.email } }))).toEqual([409, 'conflict']);
    expect((await api.platform('PATCH', `/staff/${sam.id}`, { body: { email: sam.email } })).status).toBe(200);
  });

  it('that nobody is is not_found', async () => {
    const id = 'stf_01jd4k6f2mep2s5xg5yhc8m1zz';
    for (const [method, path, body] of [['GET', ''], ['PATCH', '', { name: 'A' }], ['DELETE', ''], ['GET', '/tokens'], ['POST', '/tokens', { name: 'A' }], ['DELETE', '/tokens/stk_1']] as const) {
      expect(errorOf(await api.platform(method, `/staff/${id}${path}`, body === undefined ? {} : { body }))).toEqual([404, 'not_found']);
    }
  });

  it('who is revoked has no valid token any more, is not changed, and is let in again under the same id without earlier tokens', async () => {
    const sam = await addStaffMember(api);
    expect((await api.platform('DELETE', `/staff/${sam.id}`)).data).toEqual({ id: sam.id, deleted: true });
    expect((await api.platform('DELETE', `/staff/${sam.id}`)).status).toBe(200);
    expect(errorOf(await listAs(sam.token))).toEqual([401, 'unauthorized']);
    expect((await api.platform('GET', `/staff/${sam.id}`)).data).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) });
    expect(errorOf(await api.platform('PATCH', `/staff/${sam.id}`, { body: { role: 'operator' } }))).toEqual([409, 'conflict']);
    expect(errorOf(await api.platform('POST', `/staff/${sam.id}/tokens`, { body: { name: 'T' } }))).toEqual([409, 'conflict']);
    const { data: again } = await api.platform('POST', '/staff', { body: { name: 'Sam again', email: sam.email, role: 'operator' } });
    expect(again).toMatchObject({ id: sam.id, name: 'Sam again', role: 'operator', status: 'active', revoked_at: null });
    expect(errorOf(await listAs(sam.token))).toEqual([401, 'unauthorized']);
  });

  it('has another role from the next request on', async () => {
    const sam = await addStaffMember(api);
    const approve = () => api.platform('POST', `/institutions/${institution.id}/approve`, { key: sam.token });
    expect(errorOf(await approve())).toEqual([403, 'forbidden']);
    await api.platform('PATCH', `/staff/${sam.id}`, { body: { role: 'operator' } });
    expect((await approve()).status).toBe(200);
  });
});

it('two platform tokens are accepted while the newest one is rolled out, and only the newest after', async () => {
  const [newest, earlier] = ['n'.repeat(40), api.settings.platformToken];
  const answers = async (earlierPlatformTokens: string[]): Promise<number[]> => {
    const other = await startApi({ ...api.settings, platformToken: newest, earlierPlatformTokens }, createLogger('api', 'silent'));
    try {
      const url = `http://127.0.0.1:${other.platformPort}/platform/v1/institutions?limit=1`;
      return await Promise.all([newest, earlier, 'x'.repeat(40)].map(async (token) => (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status));
    } finally {
      await other.stop();
    }
  };
  expect(await answers([earlier])).toEqual([200, 200, 401]);
  expect(await answers([])).toEqual([200, 401, 401]);
});

describe('a personal token', () => {
  it('is shown once, stored as a hash, and named by its last four characters', async () => {
    const sam = await addStaffMember(api);
    expect(sam.token).toMatch(/^svc_staff_[\w-]{43}$/);
    expect((await listAs(sam.token)).status).toBe(200);
    const { data } = await api.platform('GET', `/staff/${sam.id}/tokens`);
    expect(data.items).toEqual([expect.objectContaining({ id: sam.tokenId, name: 'Tests', last_four: sam.token.slice(-4), status: 'active', created_by: 'platform', last_used_at: expect.any(String) })]);
    const [row] = await sql<{ row: string }>('SELECT t::text AS row FROM staff_tokens t WHERE id = $1', [sam.tokenId]);
    expect(row?.row).not.toContain(sam.token.slice(10));
  });

  it('ends with its revocation, and by itself after 90 days unless others are sent', async () => {
    const sam = await addStaffMember(api);
    const { data: [token] } = { data: (await api.platform('GET', `/staff/${sam.id}/tokens`)).data.items };
    expect(Date.parse(token.expires_at) - Date.parse(token.created_at)).toBe(90 * 86_400_000);
    const { data: second } = await api.platform('POST', `/staff/${sam.id}/tokens`, { body: { name: 'CI', expires_in_days: 365 } });
    await sql("UPDATE staff_tokens SET expires_at = now() - interval '1 second' WHERE id = $1", [sam.tokenId]);
    expect([(await listAs(sam.token)).status, (await listAs(second.staff_token)).status]).toEqual([401, 200]);
    for (let times = 0; times < 2; times += 1) expect((await api.platform('DELETE', `/staff/${sam.id}/tokens/${second.id}`)).status).toBe(200);
    expect((await listAs(second.staff_token)).status).toBe(401);
    const { data } = await api.platform('GET', `/staff/${sam.id}/tokens`);
    expect(data.items.map(({ status }: { status: string }) => status)).toEqual(['revoked', 'expired']);
  });

  it('is one of at most 10 live ones of a person', async () => {
    const sam = await addStaffMember(api);
    const create = () => api.platform('POST', `/staff/${sam.id}/tokens`, { body: { name: 'T' } });
    expect((await Promise.all(Array.from({ length: 11 }, create))).map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 409, 409]);
    await api.platform('DELETE', `/staff/${sam.id}/tokens/${sam.tokenId}`);
    expect((await create()).status).toBe(200);
  });

  it('of support creates, lists and revokes tokens of its own person only', async () => {
    const [sam, ben] = [await addStaffMember(api), await addStaffMember(api)];
    const asSam = (method: string, path: string, body?: object) => api.platform(method, path, { key: sam.token, ...(body === undefined ? {} : { body }) });
    const { data: own } = await asSam('POST', `/staff/${sam.id}/tokens`, { name: 'Own' });
    expect([own.created_by, own.staff_id]).toEqual([sam.id, sam.id]);
    expect((await asSam('GET', `/staff/${sam.id}/tokens`)).data.total).toBe(2);
    expect((await asSam('DELETE', `/staff/${sam.id}/tokens/${own.id}`)).status).toBe(200);
    for (const [method, path, body] of [['POST', '/tokens', { name: 'T' }], ['GET', '/tokens'], ['DELETE', `/tokens/${ben.tokenId}`]] as const) {
      expect(errorOf(await asSam(method, `/staff/${ben.id}${path}`, body))).toEqual([403, 'forbidden']);
    }
    expect((await listAs(ben.token)).status).toBe(200);
  });

  it('does not act as a portal user: X-Actor is for the platform token', async () => {
    const olga = await addStaffMember(api, 'operator');
    expect(errorOf(await api.platform('GET', '/institutions', { key: olga.token, headers: { 'x-actor': institution.adminId } }))).toEqual([403, 'forbidden']);
  });

  it('names its person in the audit log, by id and by name', async () => {
    const olga = await addStaffMember(api, 'operator', 'Olga Operator');
    await api.platform('PUT', `/institutions/${institution.id}/allowance`, { key: olga.token, body: { allowance_cents: 700 } });
    const { data } = await api.platform('GET', `/institutions/${institution.id}/audit-log`, { query: { actor_id: olga.id } });
    expect(data.items).toMatchObject([{ operation: 'setAllowance', actor: { kind: 'staff', id: olga.id, name: 'Olga Operator' } }]);
  });

  it('is on record with what is done about the staff, for operators to read', async () => {
    const olga = await addStaffMember(api, 'operator', 'Olga Operator');
    const sam = await addStaffMember(api);
    await api.platform('DELETE', `/staff/${sam.id}`, { key: olga.token });
    const { data } = await api.platform('GET', '/audit-log', { key: olga.token, query: { target_id: sam.id } });
    expect(data.items).toMatchObject([
      { operation: 'revokeStaff', target: { id: sam.id }, actor: { kind: 'staff', id: olga.id, name: 'Olga Operator' } },
      { operation: 'createStaffToken', target: { id: sam.id, created: sam.tokenId }, changed: ['name'], actor: { kind: 'platform', id: 'platform', name: null } },
      { operation: 'addStaff', target: { created: sam.id }, changed: ['name', 'email', 'role'] },
    ]);
    expect((await api.platform('GET', '/audit-log', { query: { target_id: institution.id } })).data.items).toEqual([]);
  });
});
