import { scopes } from '../../../domain/scopes';
import { activeDeveloper } from '../../support/developers';
import type { TestInstitution } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';

const { api, institution, sql } = apiFixture();

const everyScope = scopes.map(({ scope }) => scope);
const create = (of: TestInstitution, over: object = {}, headers: Record<string, string> = { 'x-actor': of.adminId }) =>
  api.platform('POST', `/institutions/${of.id}/keys`, { body: { name: 'trial', scopes: everyScope, environment: 'test', ...over }, headers });
const sandboxesOf = ({ id }: TestInstitution) => sql<{ id: string; login_domain: string; status: string }>('SELECT id, login_domain, status FROM institutions WHERE sandbox_of = $1', [id]);
const me = (key: string) => api.call('GET', '/me', { key });

describe('a test key', () => {
  it('has a prefix of its own, says so, and authenticates as the sandbox, which the first one makes', async () => {
    expect(await sandboxesOf(institution)).toEqual([]);
    const { status, data } = await create(institution);
    expect([status, data.environment, data.prefix]).toEqual([200, 'test', 'svc_test_']);
    expect(data.api_key).toMatch(/^svc_test_[A-Za-z0-9]{32}$/);
    const [sandbox] = await sandboxesOf(institution);
    const described = await me(data.api_key);
    expect(described.data).toMatchObject({ environment: 'test', institution: { id: sandbox?.id, name: 'North School (sandbox)' } });
    expect(Object.keys(described.data.institution).sort()).toEqual(['id', 'name']);
    expect((await me(institution.apiKey)).data).toMatchObject({ environment: 'live', institution: { id: institution.id } });
  });

  it('makes one sandbox, regardless of how many first ones are created at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(institution)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await sandboxesOf(institution)).toHaveLength(1);
    const seen = await Promise.all(answers.map(({ data }) => me(data.api_key)));
    expect(new Set(seen.map(({ data }) => data.institution.id)).size).toBe(1);
  });

  it('sees nothing of its institution, nor does the institution see anything of the sandbox', async () => {
    const { data } = await create(institution);
    const { data: live } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada Live' } });
    const { data: test } = await api.call('POST', '/students', { key: data.api_key, body: { full_name: 'Ada Test' } });
    const listed = (key: string) => api.call('GET', '/students', { key }).then((answer) => answer.data.items.map(({ id }: { id: string }) => id));
    expect([await listed(institution.apiKey), await listed(data.api_key)]).toEqual([[live.id], [test.id]]);
    expect((await api.call('GET', `/students/${live.id}`, { key: data.api_key })).status).toBe(404);
    expect((await api.call('GET', `/students/${test.id}`, { key: institution.apiKey })).status).toBe(404);
  });

  it('is named to a live key that looks for an id or login email of the own sandbox; one of another institution or its sandbox is an unknown one', async () => {
    const other = await api.institution();
    const [test, otherTest] = [(await create(institution)).data.api_key, (await create(other)).data.api_key];
    const studentOf = async (key: string) => (await api.call('POST', '/students', { key, body: {} })).data;
    const groupOf = async (key: string) => (await api.call('POST', '/groups', { key, body: { name: 'Class' } })).data.id;
    const messageFor = async (path: string) => {
      const { status, body } = await api.call('GET', path, { key: institution.apiKey });
      return [status, body.error, body.message];
    };
    const hint = 'It is in the sandbox: a live key finds nothing of it, a test key (svc_test_…) does.';
    const own = await studentOf(test);
    for (const path of [`/students/${own.id}`, `/students/${own.login_email.toUpperCase()}`, `/groups/${await groupOf(test)}`, `/licenses/${own.license.id}`]) {
      expect(await messageFor(path)).toEqual([404, 'not_found', expect.stringMatching(/^No such .+ It is in the sandbox: /)]);
      expect((await messageFor(path))[2]).toContain(hint);
    }
    expect(await messageFor(`/merits/wallets/${own.login_email}`)).toEqual([404, 'user_not_found', expect.stringContaining(hint)]);
    const unknown = await messageFor('/students/stu_01jd4k6f2mep2s5xg5yhc8m1zr');
    const [foreign, foreignTest] = [await studentOf(other.apiKey), await studentOf(otherTest)];
    for (const id of [foreign.id, foreign.login_email, foreignTest.id, foreignTest.login_email]) expect(await messageFor(`/students/${id}`)).toEqual(unknown);
    expect(await messageFor(`/groups/${await groupOf(otherTest)}`)).toEqual(await messageFor('/groups/grp_01jd4k6f2mep2s5xg5yhc8m1zr'));
  });

  it('finds in the sandbox what a new institution has: an admin who owns groups, an allowance, and the config of the institution', async () => {
    const allowed_toolchains = ['python'];
    await api.call('PUT', '/institution/config', { key: institution.apiKey, body: { allowed_toolchains } });
    const key = (await create(institution)).data.api_key;
    const [profile, group, allowance, config] = await Promise.all([
      api.call('GET', '/institution', { key }),
      api.call('POST', '/groups', { key, body: { name: 'Class' } }),
      api.call('GET', '/merits/allowance', { key }),
      api.call('GET', '/institution/config', { key }),
    ]);
    expect(profile.data).toMatchObject({ name: 'North School (sandbox)', status: 'approved', login_domain: expect.stringMatching(/^[0-9a-z]{26}\.sandbox\.invalid$/) });
    expect(group.status).toBe(200);
    expect(group.data.faculty_id).toBe(profile.data.admin.id);
    expect(allowance.data).toMatchObject({ allowance_cents: 1_000_000, granted_cents: 1_000_000, credited_cents: 0 });
    expect(config.data.allowed_toolchains).toEqual(allowed_toolchains);
  });

  it('is listed with its environment under its institution, and revoked there by admin and platform', async () => {
    const [first, second] = [(await create(institution)).data, (await create(institution)).data];
    const { data } = await api.platform('GET', `/institutions/${institution.id}/keys`, { headers: { 'x-actor': institution.adminId } });
    expect(data.items.map(({ key_id, environment }: { key_id: string; environment: string }) => [key_id, environment])).toEqual([
      [second.key_id, 'test'], [first.key_id, 'test'], [institution.keyId, 'live'],
    ]);
    expect((await api.platform('DELETE', `/keys/${first.key_id}`, { headers: { 'x-actor': institution.adminId } })).status).toBe(200);
    expect((await api.platform('DELETE', `/keys/${second.key_id}`)).status).toBe(200);
    expect([await me(first.api_key), await me(second.api_key)].map(({ body }) => body.error)).toEqual(['invalid_api_key', 'invalid_api_key']);
  });

  it('is not revoked by another institution', async () => {
    const { data } = await create(institution);
    const other = await api.institution();
    expect((await api.platform('DELETE', `/keys/${data.key_id}`, { headers: { 'x-actor': other.adminId } })).status).toBe(404);
    expect((await me(data.api_key)).status).toBe(200);
  });

  it('is revoked with its developer, as live keys are', async () => {
    const { id: developer } = await activeDeveloper(api, institution);
    const { data } = await create(institution, {}, { 'x-actor': developer });
    await api.platform('POST', `/developers/${developer}/suspend`, { headers: { 'x-actor': institution.adminId } });
    expect((await me(data.api_key)).body.error).toBe('invalid_api_key');
  });

  it('is one of at most 25 active test keys, which are counted apart from live ones', async () => {
    const answers = await Promise.all(Array.from({ length: 26 }, () => create(institution)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25);
    expect(answers.find(({ status }) => status !== 200)?.body.error).toBe('key_limit');
    expect((await create(institution, { environment: 'live' })).status).toBe(200);
  });

  it('is refused for an institution that is not approved, and then makes no sandbox', async () => {
    await api.platform('POST', `/institutions/${institution.id}/suspend`);
    const { status, body } = await api.platform('POST', `/institutions/${institution.id}/keys`, { body: { name: 'trial', scopes: everyScope, environment: 'test' } });
    expect([status, body.error, await sandboxesOf(institution)]).toEqual([403, 'institution_not_approved', []]);
  });
});

describe('a sandbox', () => {
  it('is suspended and approved again with its institution', async () => {
    const { data } = await create(institution);
    await api.platform('POST', `/institutions/${institution.id}/suspend`);
    expect([(await me(data.api_key)).body.error, (await sandboxesOf(institution))[0]?.status]).toEqual(['invalid_api_key', 'suspended']);
    await api.platform('POST', `/institutions/${institution.id}/approve`);
    expect([(await me(data.api_key)).status, (await sandboxesOf(institution))[0]?.status]).toEqual([200, 'approved']);
  });

  it('has neither keys nor a sandbox nor a status of its own', async () => {
    await create(institution);
    const [sandbox] = await sandboxesOf(institution);
    const calls: [string, object?][] = [
      ['keys', { name: 'trial', scopes: everyScope, environment: 'test' }], ['keys', { name: 'trial', scopes: everyScope }], ['suspend'], ['approve'],
    ];
    for (const [path, body] of calls) {
      const { status, body: answer } = await api.platform('POST', `/institutions/${sandbox?.id}/${path}`, { body });
      expect([path, status, answer.error, answer.message]).toEqual([path, 409, 'conflict', 'This institution is a sandbox; name the institution that it belongs to.']);
    }
  });

  it('is marked in the lists of the platform', async () => {
    await create(institution);
    const [sandbox] = await sandboxesOf(institution);
    const { data } = await api.platform('GET', '/institutions', { query: { limit: 2 } });
    const marks = data.items.map(({ id, sandbox_of }: { id: string; sandbox_of: string | null }) => [id, sandbox_of]);
    expect(marks).toEqual(expect.arrayContaining([[sandbox?.id, institution.id], [institution.id, null]]));
  });
});
