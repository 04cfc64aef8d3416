import type { TestInstitution } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { openSandboxOf } from '../../support/sandboxes';
import { addStaffMember } from '../../support/staff';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const asAdmin = (of: TestInstitution) => ({ headers: { 'x-actor': of.adminId } });
const create = (of: TestInstitution, over: object = {}, sent: object = asAdmin(of)) =>
  api.platform('POST', `/institutions/${of.id}/keys`, { body: { name: 'sync', scopes: ['students:read'], ...over }, ...sent });

describe('creating a key', () => {
  // Contract: keys.creation.live-at-once, keys.format.prefix-and-length, keys.creation.shown-once, keys.masking.prefix-and-last-four
  // Contract: keys.portal.admin-creates-and-revokes, keys.fields.name-scopes-rate-limit, limits.rate.default-600
  it('answers the key once, of the documented form, and it works', async () => {
    const { status, data } = await create(institution, { scopes: ['students:write', 'students:write', 'groups:read'] });
    expect(status).toBe(200);
    expect(data.api_key).toMatch(/^svc_live_[A-Za-z0-9]{32}$/);
    expect(data).toMatchObject({
      name: 'sync', scopes: ['students:write', 'groups:read'], rate_limit_per_min: 600, environment: 'live', prefix: 'svc_live_',
      last_four: data.api_key.slice(-4), status: 'active', created_by: institution.adminId, last_used_at: null, expires_at: null, revoked_at: null,
    });
    expect((await api.call('GET', '/students', { key: data.api_key })).status).toBe(200);
    const { data: listed } = await api.platform('GET', `/institutions/${institution.id}/keys`, asAdmin(institution));
    const [newest] = listed.items;
    expect(newest.key_id).toBe(data.key_id);
    expect(JSON.stringify(listed)).not.toContain(data.api_key);
  });

  // Contract: keys.fields.name-scopes-rate-limit, limits.rate.configurable-10-to-6000, rate-limit.headers.limit
  it('keeps the rate limit that it was given', async () => {
    const { data } = await create(institution, { rate_limit_per_min: 10 });
    const { headers } = await api.call('GET', '/students', { key: data.api_key });
    expect([data.rate_limit_per_min, headers.get('x-ratelimit-limit')]).toEqual([10, '10']);
  });

  // Contract: keys.fields.name-scopes-rate-limit, limits.rate.configurable-10-to-6000
  it.each([9, 6001, 60.5, '600'])('refuses %p requests a minute', async (rate_limit_per_min) => {
    const { status, body } = await create(institution, { rate_limit_per_min });
    expect([status, body.issues?.[0]?.path]).toEqual([422, 'rate_limit_per_min']);
  });

  // Contract: errors.422.invalid-scopes
  it.each([[[]], [['students:read', 'students:own']]])('refuses the scopes %j with invalid_scopes', async (scopes) => {
    const { status, body } = await create(institution, { scopes });
    expect([status, body.error, body.issues[0].path]).toEqual([422, 'invalid_scopes', scopes.length === 0 ? 'scopes' : 'scopes.1']);
    if (scopes.length > 0) expect(body.message).toBe('Unknown scopes: students:own. GET /v1/scopes lists them.');
  });

  it('names the scope that was probably meant', async () => {
    const { body } = await create(institution, { scopes: ['student:read'] });
    expect(body.message).toBe('Unknown scopes: student:read (did you mean students:read?). GET /v1/scopes lists them.');
  });

  it('refuses an expiry that has passed, and one without a zone', async () => {
    for (const expires_at of [new Date(Date.now() - 1_000).toISOString(), '2099-01-01T00:00:00']) {
      const { status, body } = await create(institution, { expires_at });
      expect([status, body.error, body.issues?.[0]?.path]).toEqual([422, 'validation_error', 'expires_at']);
    }
  });

  it('lets a key expire, which then is listed as expired', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { data } = await create(institution, { expires_at });
    expect(data).toMatchObject({ expires_at, status: 'active' });
    await api.api.domain.database.sql("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [data.key_id]);
    expect((await api.call('GET', '/students', { key: data.api_key })).body.error).toBe('invalid_api_key');
    const { data: listed } = await api.platform('GET', '/keys', asAdmin(institution));
    expect(listed.items.find(({ key_id }: { key_id: string }) => key_id === data.key_id).status).toBe('expired');
  });

  // Contract: keys.limit.25-active, errors.422.key-limit, limits.keys.25-active
  it('creates exactly 25 active keys, regardless of how many are requested at once', async () => {
    const otherInstitution = await api.institution();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(otherInstitution)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect([answers.length - refused.length, new Set(refused.map(({ body }) => body.error))]).toEqual([24, new Set(['key_limit'])]);
    const { data } = await api.platform('GET', '/keys', asAdmin(otherInstitution));
    expect(data.total).toBe(25);
  });

  it('counts neither revoked nor expired keys against the limit', async () => {
    const otherInstitution = await api.institution();
    await Promise.all(Array.from({ length: 24 }, () => create(otherInstitution)));
    expect((await create(otherInstitution)).body.error).toBe('key_limit');
    await api.platform('DELETE', `/keys/${otherInstitution.keyId}`, asAdmin(otherInstitution));
    const { status, data } = await create(otherInstitution);
    expect(status).toBe(200);
    await api.api.domain.database.sql("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [data.key_id]);
    expect((await create(otherInstitution)).status).toBe(200);
  });

  // Contract: errors.403.institution-not-approved
  it('is refused with institution_not_approved while the institution is pending or suspended', async () => {
    const { data: pending } = await api.platform('POST', '/institutions', {
      body: { name: 'New', login_domain: 'pending-keys.example', admin_email: 'a@mail.example', admin_name: 'A' },
    });
    const body = { name: 'sync', scopes: ['students:read'] };
    for (const headers of [{}, { 'x-actor': pending.admin.id }]) {
      const { status, body: answer } = await api.platform('POST', `/institutions/${pending.id}/keys`, { body, headers });
      expect([status, answer.error]).toEqual([403, 'institution_not_approved']);
    }
    const otherInstitution = await api.institution();
    await api.platform('POST', `/institutions/${otherInstitution.id}/suspend`);
    expect((await create(otherInstitution)).body.error).toBe('institution_not_approved');
  });

  it('may be the platform\'s doing, which is then named as its creator', async () => {
    const { status, data } = await create(institution, {}, {});
    expect([status, data.created_by]).toEqual([200, 'platform']);
  });
});

describe('revoking a key', () => {
  // Contract: keys.portal.admin-creates-and-revokes, keys.revocation.immediate
  it('ends it at the very next request', async () => {
    const { data } = await create(institution);
    expect((await api.call('GET', '/students', { key: data.api_key })).status).toBe(200);
    expect((await api.platform('DELETE', `/keys/${data.key_id}`, asAdmin(institution))).data).toEqual({ id: data.key_id, deleted: true });
    expect((await api.call('GET', '/students', { key: data.api_key })).body.error).toBe('invalid_api_key');
  });

  it('twice answers the same and keeps the time of the first', async () => {
    const { data } = await create(institution);
    const revoke = () => api.platform('DELETE', `/keys/${data.key_id}`, asAdmin(institution));
    const revokedAt = async (): Promise<string> => {
      const { data: listed } = await api.platform('GET', `/institutions/${institution.id}/keys`, asAdmin(institution));
      return listed.items.find(({ key_id }: { key_id: string }) => key_id === data.key_id).revoked_at;
    };
    const first = await revoke();
    const at = await revokedAt();
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
    expect((await revoke()).body).toEqual(first.body);
    expect(await revokedAt()).toEqual(at);
  });

  it('of the sandbox is in the log of the institution, as its creation is, with the real time, for the admin, staff and the platform', async () => {
    const own = await api.institution();
    const sandbox = await openSandboxOf(api, own);
    await sandbox.advance(86_400);
    const olga = await addStaffMember(api, 'operator', 'Olga');
    for (const sent of [asAdmin(own), { key: olga.token }, {}]) {
      const { data: key } = await create(own, { environment: 'test' });
      expect((await api.platform('DELETE', `/keys/${key.key_id}`, sent)).status).toBe(200);
      const { data } = await api.platform('GET', `/institutions/${own.id}/audit-log`, { query: { target_id: key.key_id } });
      expect(data.items.map(({ operation }: { operation: string }) => operation)).toEqual(['revokeKey', 'createKey']);
      expect(Date.parse(data.items[0].at)).toBeLessThan(Date.now() + 60_000);
    }
    expect((await api.platform('GET', `/institutions/${sandbox.id}/audit-log`, { query: { operation: 'revokeKey' } })).data.items).toEqual([]);
  });

  it('of another institution is 404 to an admin and changes nothing, and the platform may do it anywhere', async () => {
    const otherInstitution = await api.institution();
    const { data } = await create(institution);
    expect((await api.platform('DELETE', `/keys/${data.key_id}`, asAdmin(otherInstitution))).body.error).toBe('not_found');
    expect((await api.call('GET', '/students', { key: data.api_key })).status).toBe(200);
    expect((await api.platform('DELETE', `/keys/${data.key_id}`)).status).toBe(200);
    expect((await api.call('GET', '/students', { key: data.api_key })).status).toBe(401);
    expect((await api.platform('DELETE', '/keys/key_none')).status).toBe(404);
  });
});

describe('listing keys', () => {
  // Contract: errors.400.institution-required
  it('needs institution_id from the platform', async () => {
    const { status, body } = await api.platform('GET', '/keys');
    expect([status, body.error]).toEqual([400, 'institution_required']);
  });

  it('is the same by institution_id, by path and for the admin without either', async () => {
    const otherInstitution = await api.institution();
    await create(otherInstitution);
    const answers = await Promise.all([
      api.platform('GET', '/keys', { query: { institution_id: otherInstitution.id } }),
      api.platform('GET', '/keys', { query: { institution_id: otherInstitution.id }, ...asAdmin(otherInstitution) }),
      api.platform('GET', '/keys', asAdmin(otherInstitution)),
      api.platform('GET', `/institutions/${otherInstitution.id}/keys`),
      api.platform('GET', `/institutions/${otherInstitution.id}/keys`, asAdmin(otherInstitution)),
    ]);
    for (const { data } of answers) expect(data).toEqual(answers[0].data);
    expect(answers[0].data).toMatchObject({ total: 2, page: 1, limit: 50, has_more: false });
  });

  it('pages newest first', async () => {
    const otherInstitution = await api.institution();
    const { data: newest } = await create(otherInstitution);
    const { data } = await api.platform('GET', '/keys', { query: { limit: 1 }, ...asAdmin(otherInstitution) });
    expect(data).toMatchObject({ items: [{ key_id: newest.key_id }], total: 2, has_more: true });
    const { data: second } = await api.platform('GET', '/keys', { query: { limit: 1, page: 2 }, ...asAdmin(otherInstitution) });
    expect(second).toMatchObject({ items: [{ key_id: otherInstitution.keyId }], has_more: false });
  });

  it('of another or an unknown institution is 404', async () => {
    const otherInstitution = await api.institution();
    for (const [path, sent] of [
      ['/keys', { query: { institution_id: otherInstitution.id }, ...asAdmin(institution) }],
      ['/keys', { query: { institution_id: 'ins_none' } }],
      [`/institutions/${otherInstitution.id}/keys`, asAdmin(institution)],
      ['/institutions/ins_none/keys', {}],
    ] as const) {
      expect((await api.platform('GET', path, sent)).body.error).toBe('not_found');
    }
  });
});
