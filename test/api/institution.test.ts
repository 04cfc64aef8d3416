import { inDays } from '../support/time';
import { seedLicense } from '../support/seed/licenses';
import { apiFixture } from '../support/apiFixture';

const { api, institution } = apiFixture();

const get = (path: string) => api.call('GET', path, { key: institution.apiKey });
const put = (body: unknown) => api.call('PUT', '/institution/config', { key: institution.apiKey, body });

const defaults = {
  default_ai_policy: { allowed: false, model_tier: 'any', max_interactions: null },
  default_proctoring: { camera: false, microphone: false, screen: false },
  allowed_toolchains: ['c', 'cpp', 'java', 'python', 'node', 'sqlite'],
  toolchain_mirror: null,
  lms: {},
  unique_student_ids: false,
  require_enrolment_code: false,
};

const full = {
  default_ai_policy: { allowed: true, model_tier: 'local', max_interactions: 0 },
  default_proctoring: { camera: true, microphone: false, screen: true },
  allowed_toolchains: ['python', 'c'],
  toolchain_mirror: { base_url: 'https://mirror.north.example/toolchains' },
  lms: { provider: 'moodle', courses: [{ id: 7, name: 'Größe — 数学' }], nothing: null },
  unique_student_ids: true,
  require_enrolment_code: true,
};

describe('the institution', () => {
  // Contract: institution.get.profile-and-counts
  it('shows its profile and admin', async () => {
    const { status, data } = await get('/institution');
    expect(status).toBe(200);
    expect(data).toMatchObject({
      id: institution.id,
      name: 'North School',
      status: 'approved',
      login_domain: institution.loginDomain,
      time_zone: 'UTC',
      admin: { id: institution.adminId, login_email: institution.adminLoginEmail },
    });
  });

  it("never shows the admin's own mailbox", async () => {
    expect(JSON.stringify((await get('/institution')).body)).not.toContain(`admin@${institution.loginDomain}`);
  });

  // Contract: institution.get.profile-and-counts
  it('counts people by kind and status', async () => {
    const create = async () => (await api.call('POST', '/students', { key: institution.apiKey, body: {} })).data.id;
    const [, suspended] = [await create(), await create()];
    await api.call('POST', `/students/${suspended}/suspend`, { key: institution.apiKey });
    expect((await get('/institution')).data.users).toEqual({
      student: { pending: 1, active: 0, suspended: 1, total: 2 },
      faculty: { active: 1, suspended: 0, total: 1 },
    });
  });

  // Contract: institution.get.profile-and-counts
  it('counts licenses as the license summary does, lapsed ones as expired', async () => {
    await seedLicense(api, institution, { expiresAt: inDays(-1) });
    await seedLicense(api, institution);
    const { by_type, by_status, total } = (await get('/licenses/summary')).data;
    const { licenses } = (await get('/institution')).data;
    expect(licenses).toEqual({ by_type, by_status, total });
    expect(by_status).toEqual({ active: 2, expired: 1, suspended: 0, revoked: 0 });
  });

  it("counts nothing of another institution's", async () => {
    const before = (await get('/institution')).data;
    const otherInstitution = await api.institution();
    await seedLicense(api, otherInstitution);
    await api.call('POST', '/students', { key: otherInstitution.apiKey, body: {} });
    expect((await get('/institution')).data).toEqual(before);
  });
});

describe('the integration config', () => {
  it('of a new institution is the default', async () => {
    expect((await get('/institution/config')).data).toEqual(defaults);
  });

  // Contract: institution.config.get, institution.config.replace-body, institution.config.replace-response
  it('is replaced as a whole and read back exactly', async () => {
    const { status, data } = await put(full);
    expect([status, data]).toEqual([200, full]);
    expect((await get('/institution/config')).data).toEqual(full);
  });

  // Contract: institution.config.replace-body
  it('takes the default of every field left out, also after it was set', async () => {
    await put(full);
    expect((await put({ lms: { a: 1 } })).data).toEqual({ ...defaults, lms: { a: 1 } });
    expect((await put({})).data).toEqual(defaults);
  });

  it('takes the defaults inside default_ai_policy and default_proctoring too', async () => {
    const { data } = await put({ default_ai_policy: { allowed: true }, default_proctoring: { screen: true } });
    expect(data.default_ai_policy).toEqual({ ...defaults.default_ai_policy, allowed: true });
    expect(data.default_proctoring).toEqual({ ...defaults.default_proctoring, screen: true });
  });

  it('may allow no toolchain at all, and no mirror', async () => {
    const { data } = await put({ allowed_toolchains: [], toolchain_mirror: null });
    expect(data).toEqual({ ...defaults, allowed_toolchains: [] });
  });

  it("is each institution's own", async () => {
    await put(full);
    const otherInstitution = await api.institution();
    expect((await api.call('GET', '/institution/config', { key: otherInstitution.apiKey })).data).toEqual(defaults);
  });

  it('needs institution:write to change, institution:read to read', async () => {
    const reader = await api.keyFor(institution, ['institution:read']);
    expect((await api.call('GET', '/institution/config', { key: reader })).status).toBe(200);
    const { status, body } = await api.call('PUT', '/institution/config', { key: reader, body: {} });
    expect([status, body.required]).toEqual([403, ['institution:write']]);
  });
});

describe('a config that is refused', () => {
  // Contract: institution.config.replace-body
  it.each<[string, object, string[]]>([
    ['an unknown field', { theme: 'dark' }, ['theme']],
    ['no object as a policy', { default_ai_policy: true }, ['default_ai_policy']],
    ['a null policy', { default_ai_policy: null }, ['default_ai_policy']],
    ['an unknown model tier', { default_ai_policy: { model_tier: 'edge' } }, ['default_ai_policy.model_tier']],
    ['text for a boolean', { default_ai_policy: { allowed: 'true' } }, ['default_ai_policy.allowed']],
    ['a negative budget', { default_ai_policy: { max_interactions: -1 } }, ['default_ai_policy.max_interactions']],
    ['part of an interaction', { default_ai_policy: { max_interactions: 1.5 } }, ['default_ai_policy.max_interactions']],
    ['an unknown policy field', { default_ai_policy: { tokens: 1 } }, ['default_ai_policy.tokens']],
    ['a number for a boolean', { default_proctoring: { camera: 1 } }, ['default_proctoring.camera']],
    ['an unknown recording', { default_proctoring: { keyboard: true } }, ['default_proctoring.keyboard']],
    ['an unknown toolchain', { allowed_toolchains: ['python', 'cobol'] }, ['allowed_toolchains.1']],
    ['a toolchain twice', { allowed_toolchains: ['c', 'python', 'c'] }, ['allowed_toolchains.2']],
    ['no list of toolchains', { allowed_toolchains: 'python' }, ['allowed_toolchains']],
    ['a mirror without a URL', { toolchain_mirror: {} }, ['toolchain_mirror.base_url']],
    ['a mirror over http', { toolchain_mirror: { base_url: 'http://mirror.example' } }, ['toolchain_mirror.base_url']],
    ['a mirror without a host', { toolchain_mirror: { base_url: 'https:mirror' } }, ['toolchain_mirror.base_url']],
    ['a mirror with credentials', { toolchain_mirror: { base_url: 'https://me:pw@mirror.example' } }, ['toolchain_mirror.base_url']],
    ['an unknown mirror field', { toolchain_mirror: { base_url: 'https://m.example', token: 'x' } }, ['toolchain_mirror.token']],
    ['a list as lms', { lms: [] }, ['lms']],
    ['a null lms', { lms: null }, ['lms']],
    ['unique_student_ids as text', { unique_student_ids: 'true' }, ['unique_student_ids']],
    ['unique_student_ids as null', { unique_student_ids: null }, ['unique_student_ids']],
    ['a number in lms too great to be written out', { lms: { a: [1e308] } }, ['lms']],
    ['a number in lms too small to be written out', { lms: { a: -1e-7 } }, ['lms']],
    ['NUL inside lms', { lms: { a: ['x\u0000'] } }, ['lms']],
    ['half a surrogate pair in an lms key', { lms: { '\ud800': 1 } }, ['lms']],
  ])('for %s names the field', async (_, body, paths) => {
    await put(full);
    const { status, body: answer } = await put(body);
    expect([status, answer.error, answer.issues.map(({ path }: { path: string }) => path)]).toEqual([422, 'validation_error', paths]);
    expect((await get('/institution/config')).data).toEqual(full);
  });

  it('names every problem, each with its path', async () => {
    const { body } = await put({ default_ai_policy: { allowed: 1, model_tier: 'x' }, allowed_toolchains: [7, 'c'], lms: 'moodle' });
    expect(body.issues.map(({ path }: { path: string }) => path)).toEqual([
      'default_ai_policy.allowed',
      'default_ai_policy.model_tier',
      'allowed_toolchains.0',
      'lms',
    ]);
  });
});

describe('the lms object', () => {
  const overhead = JSON.stringify({ text: '' }).length;
  const sized = (bytes: number) => ({ lms: { text: 'x'.repeat(bytes - overhead) } });
  const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) });

  it('may have 16 KiB serialised, and not a byte more', async () => {
    expect((await put(sized(16_384))).status).toBe(200);
    expect((await put(sized(16_385))).status).toBe(422);
  });

  it('is measured in bytes, not in characters', async () => {
    expect((await put({ lms: { text: '数'.repeat(6_000) } })).status).toBe(422);
  });

  it('may be nested 20 levels deep, and no deeper', async () => {
    expect((await put({ lms: nested(20) })).status).toBe(200);
    expect((await put({ lms: nested(21) })).status).toBe(422);
  });

  it('nested a hundred thousand levels deep is refused like any other', async () => {
    const deep = `{"lms":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const { status, body } = await put(deep);
    expect([status, body.issues?.[0]?.path]).toEqual([422, 'body']);
  });

  it('with a number beyond all bounds is refused, not quietly altered', async () => {
    const { status, body } = await put('{"lms":{"a":1e999}}');
    expect([status, body.issues?.[0]?.path]).toEqual([422, 'lms']);
  });
});
