import { idsIn } from '../support/responses';
import type { ApiResponse } from '../support/api';
import { eventsDuring } from '../support/events';
import { inDays } from '../support/time';
import { storedStatus, seedLicense } from '../support/seed/licenses';
import { apiFixture } from '../support/apiFixture';

const { api, institution } = apiFixture();

const get = (path: string, query: Record<string, string | number> = {}) => api.call('GET', path, { key: institution.apiKey, query });
const extend = (id: string, body: object) => api.call('POST', `/licenses/${id}/extend`, { key: institution.apiKey, body });
const revoke = (id: string, body?: object) => api.call('POST', `/licenses/${id}/revoke`, { key: institution.apiKey, body });
const newStudent = async () => (await api.call('POST', '/students', { key: institution.apiKey, body: { license_days: 10 } })).data;

const issuesOf = ({ status, body }: ApiResponse) => [status, body.error, body.issues?.map(({ path }: { path: string }) => path)];

const dayMs = 86_400_000;
const longAgo = new Date('2020-02-29T12:00:00.000Z');
const lapsed = { status: 'active', expiresAt: longAgo } as const;

describe('a license', () => {
  // Contract: privacy.license-key.never-returned, licenses.fields.expiry-activations-status, licenses.get.response
  it('names its carrier, its terms and its state, and no key', async () => {
    const student = await newStudent();
    const { status, data } = await get(`/licenses/${student.license.id}`);
    expect(status).toBe(200);
    expect(data).toEqual({
      id: student.license.id,
      license_type: 'student',
      status: 'active',
      user: { user_id: student.id, login_email: student.login_email },
      max_activations: 2,
      expires_at: student.license.expires_at,
      is_lifetime: false,
      revoked_at: null,
      revoke_reason: null,
      created_at: expect.any(String),
    });
  });

  // Contract: licenses.types.institution
  it('of lab machines has no user', async () => {
    const { id } = await seedLicense(api, institution);
    expect((await get(`/licenses/${id}`)).data).toMatchObject({ license_type: 'institution', user: null, max_activations: 30 });
  });

  it('reads as expired as soon as its time has passed, though no sweep has seen it', async () => {
    const { id } = await seedLicense(api, institution, lapsed);
    expect((await get(`/licenses/${id}`)).data.status).toBe('expired');
    expect(await storedStatus(api, id)).toBe('active');
  });

  it('of another institution, or unknown, answers 404 to every operation', async () => {
    const { id } = await seedLicense(api, await api.institution());
    for (const other of [id, 'lic_unknown', 'x'.repeat(400)]) {
      const answers = await Promise.all([get(`/licenses/${other}`), extend(other, { days: 1 }), revoke(other)]);
      expect(answers.map(({ status, body }) => [status, body.error])).toEqual(Array(3).fill([404, 'not_found']));
    }
  });
});

describe('the list of licenses', () => {
  const ids = async (query: Record<string, string | number>) => {
    const { data } = await get('/licenses', { limit: 200, ...query });
    expect(data.total).toBe(data.items.length);
    return idsIn(data.items);
  };

  // Contract: licenses.fields.status, licenses.list.query, licenses.list.response
  it('filters by the status that it shows: every license is under its own and no other', async () => {
    await seedLicense(api, institution, lapsed);
    await seedLicense(api, institution, { status: 'expired', expiresAt: longAgo });
    await seedLicense(api, institution, { status: 'suspended', expiresAt: longAgo });
    await seedLicense(api, institution, { status: 'revoked', expiresAt: longAgo, revokedAt: longAgo });
    await seedLicense(api, institution, { isLifetime: true, expiresAt: null });
    await newStudent();
    const { data } = await get('/licenses');
    for (const status of ['active', 'expired', 'suspended', 'revoked']) {
      const shown = idsIn(data.items.filter((item: { status: string }) => item.status === status));
      expect(shown).not.toHaveLength(0);
      expect(await ids({ status })).toEqual(shown);
    }
  });

  // Contract: licenses.list.query
  it('takes expires_before as exclusive and leaves lifetime licenses out', async () => {
    const at = new Date('2021-01-01T00:00:00.000Z');
    const { id } = await seedLicense(api, institution, { expiresAt: at });
    await seedLicense(api, institution, { isLifetime: true, expiresAt: null });
    expect(await ids({ expires_before: at.toISOString() })).toEqual([]);
    expect(await ids({ expires_before: '2021-01-01T00:00:00.001Z' })).toEqual([id]);
    expect(await ids({ expires_before: '2021-01-01T02:00:00.001+02:00', status: 'expired' })).toEqual([id]);
    expect(await ids({ expires_before: '2021-01-01T00:00:00.001Z', status: 'active' })).toEqual([]);
  });

  it('takes moments of the years 1 to 9999 in UTC, which every answer can tell, and no other', async () => {
    expect(await ids({ expires_before: '0001-01-01T00:00:00Z' })).toEqual([]);
    expect(await ids({ expires_before: '9999-12-31T23:59:59.999Z' })).toHaveLength(1);
    for (const expires_before of ['0000-12-31T23:59:59Z', '9999-12-31T23:59:59.999-23:59']) {
      const { status, body } = await get('/licenses', { expires_before });
      expect([status, body.issues?.[0]?.path]).toEqual([422, 'expires_before']);
    }
  });

  // Contract: licenses.list.query, licenses.list.response
  it('pages newest first with an exact total', async () => {
    const seeded = [];
    for (let day = 1; day <= 4; day += 1) seeded.push((await seedLicense(api, institution, { createdAt: inDays(day) })).id);
    const pages = await Promise.all([1, 2, 3].map((page) => get('/licenses', { limit: 2, page })));
    expect(pages.map(({ data }) => [data.items.length, data.total, data.has_more])).toEqual([[2, 5, true], [2, 5, true], [1, 5, false]]);
    expect(idsIn(pages.flatMap(({ data }) => data.items).slice(0, 4))).toEqual(seeded.reverse());
  });

  it('refuses an unknown status, a moment without a zone, paging out of bounds and unknown parameters', async () => {
    const answer = await get('/licenses', { status: 'lapsed', expires_before: '2026-01-01T00:00:00', limit: 201, page: 0, type: 'student' });
    expect(issuesOf(answer)).toEqual([422, 'validation_error', ['status', 'expires_before', 'page', 'limit', 'type']]);
  });
});

describe('the license summary', () => {
  // Contract: licenses.summary.counts-by-type-and-status, licenses.summary.expiring-within-30-days, licenses.summary.response
  it('counts by type and by the status shown, and what expires within 30 days', async () => {
    await newStudent();
    await seedLicense(api, institution, lapsed);
    await seedLicense(api, institution, { expiresAt: inDays(29.9) });
    await seedLicense(api, institution, { expiresAt: inDays(30.1) });
    await seedLicense(api, institution, { status: 'suspended', expiresAt: inDays(5) });
    await seedLicense(api, institution, { isLifetime: true, expiresAt: null });
    const { data } = await get('/licenses/summary');
    expect(data).toEqual({
      by_type: {
        student: { active: 1, expired: 0, suspended: 0, revoked: 0, total: 1 },
        faculty: { active: 1, expired: 0, suspended: 0, revoked: 0, total: 1 },
        institution: { active: 3, expired: 1, suspended: 1, revoked: 0, total: 5 },
      },
      by_status: { active: 5, expired: 1, suspended: 1, revoked: 0 },
      total: 7,
      expiring_within_30_days: 2,
    });
  });
});

describe('extending', () => {
  // Contract: service.purpose.manage-licenses, licenses.extend.days-or-expires-at, licenses.extend.body, licenses.extend.response
  it('by days counts from the current expiry while it is in the future', async () => {
    const { id, expiresAt } = await seedLicense(api, institution);
    const { status, data } = await extend(id, { days: 30 });
    expect([status, data.status]).toEqual([200, 'active']);
    expect(Date.parse(data.expires_at) - (expiresAt?.getTime() ?? 0)).toBe(30 * dayMs);
    expect((await get(`/licenses/${id}`)).data).toEqual(data);
  });

  // Contract: licenses.states.extend-reactivates
  it('by days counts from now once the expiry has passed, and reactivates', async () => {
    const { id } = await seedLicense(api, institution, { status: 'expired', expiresAt: longAgo });
    const { data } = await extend(id, { days: 30 });
    expect(data.status).toBe('active');
    expect((Date.parse(data.expires_at) - Date.now()) / dayMs).toBeCloseTo(30, 3);
    expect(await storedStatus(api, id)).toBe('active');
  });

  // Contract: licenses.extend.days-or-expires-at, licenses.extend.body
  it('sets a moment, an earlier one than the present expiry too', async () => {
    const { id } = await seedLicense(api, institution);
    const sooner = inDays(3).toISOString();
    expect((await extend(id, { expires_at: sooner })).data.expires_at).toBe(sooner);
  });

  it('leaves a suspended license suspended and moves its expiry', async () => {
    const { id } = await seedLicense(api, institution, { status: 'suspended' });
    const at = inDays(300).toISOString();
    expect((await extend(id, { expires_at: at })).data).toMatchObject({ status: 'suspended', expires_at: at });
  });

  // Contract: errors.409.conflict, errors.conditions.state-conflict
  it('of a revoked or a lifetime license is a conflict', async () => {
    const revoked = await seedLicense(api, institution, { status: 'revoked', revokedAt: longAgo });
    const lifetime = await seedLicense(api, institution, { isLifetime: true, expiresAt: null });
    for (const { id } of [revoked, lifetime]) {
      const { status, body } = await extend(id, { days: 1 });
      expect([status, body.error]).toEqual([409, 'conflict']);
    }
  });

  // Contract: licenses.extend.days-or-expires-at, licenses.extend.body
  it.each([
    ['nothing', {}, ['days']],
    ['both', { days: 1, expires_at: '2090-01-01T00:00:00Z' }, ['expires_at']],
    ['no days', { days: 0 }, ['days']],
    ['more than 3650 days', { days: 3651 }, ['days']],
    ['part of a day', { days: 1.5 }, ['days']],
    ['days as text', { days: '30' }, ['days']],
    ['no moment', { expires_at: 'tomorrow' }, ['expires_at']],
    ['a moment without a zone', { expires_at: '2090-01-01T00:00:00' }, ['expires_at']],
    ['null', { expires_at: null }, ['expires_at']],
    ['a moment in the past', { expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
    ['a moment over 100 years away', { expires_at: '9999-12-31T23:59:59Z' }, ['expires_at']],
    ['unknown fields', { days: 1, reason: 'x' }, ['reason']],
  ])('by %s is a validation_error that names the field', async (_, body, paths) => {
    const { id, expiresAt } = await seedLicense(api, institution);
    expect(issuesOf(await extend(id, body))).toEqual([422, 'validation_error', paths]);
    expect((await get(`/licenses/${id}`)).data.expires_at).toBe(expiresAt?.toISOString());
  });

  it('repeatedly stops at 100 years, long before a date overflows', async () => {
    const { id } = await seedLicense(api, institution, { expiresAt: inDays(36_500 - 3_650) });
    const first = await extend(id, { days: 3_649 });
    expect(first.status).toBe(200);
    expect(issuesOf(await extend(id, { days: 2 }))).toEqual([422, 'validation_error', ['days']]);
  });

  it('emits the expiry that no sweep has seen, once, and nothing for a license that is still active', async () => {
    const { id } = await seedLicense(api, institution, lapsed);
    const events = await eventsDuring(api, institution, async () => {
      await extend(id, { days: 1 });
      await extend(id, { days: 1 });
    });
    const data = { license_id: id, license_type: 'institution', user_id: null, expired_at: longAgo.toISOString() };
    expect(events).toEqual([{ type: 'license.expired', data }]);
  });

  it('that is refused leaves the unseen expiry to the sweep', async () => {
    const { id } = await seedLicense(api, institution, lapsed);
    const events = await eventsDuring(api, institution, () => extend(id, { expires_at: longAgo.toISOString() }));
    expect(events).toEqual([]);
    expect(await storedStatus(api, id)).toBe('active');
  });

  it('from many callers at once adds every day', async () => {
    const { id, expiresAt } = await seedLicense(api, institution);
    const answers = await Promise.all(Array.from({ length: 8 }, () => extend(id, { days: 1 })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const { data } = await get(`/licenses/${id}`);
    expect(Date.parse(data.expires_at) - (expiresAt?.getTime() ?? 0)).toBe(8 * dayMs);
  });
});

describe('revoking', () => {
  // Contract: service.purpose.manage-licenses, licenses.states.revoke, licenses.revoke.reason, licenses.revoke.body, licenses.revoke.response
  it('keeps the moment and the reason', async () => {
    const { id } = await seedLicense(api, institution);
    const { data } = await revoke(id, { reason: ' Left the school\nin May ' });
    expect(data).toMatchObject({ status: 'revoked', revoke_reason: 'Left the school\nin May' });
    expect(Math.abs(Date.parse(data.revoked_at) - Date.now())).toBeLessThan(5_000);
    expect((await get(`/licenses/${id}`)).data).toEqual(data);
  });

  // Contract: licenses.revoke.reason
  it.each([['no body', undefined], ['an empty one', {}], ['a null reason', { reason: null }]])('needs no reason: %s', async (_, body) => {
    const { id } = await seedLicense(api, institution);
    expect((await revoke(id, body)).data).toMatchObject({ status: 'revoked', revoke_reason: null });
  });

  it('twice answers the license unchanged, the first reason too', async () => {
    const { id } = await seedLicense(api, institution);
    const first = await revoke(id, { reason: 'first' });
    expect((await revoke(id, { reason: 'second' })).data).toEqual(first.data);
  });

  it('shows revoked even when the expiry has passed', async () => {
    const { id } = await seedLicense(api, institution, { status: 'revoked', revokedAt: longAgo, expiresAt: longAgo });
    expect((await get(`/licenses/${id}`)).data.status).toBe('revoked');
  });

  it('a license that lapsed unseen emits its expiry first', async () => {
    const { id } = await seedLicense(api, institution, lapsed);
    const events = await eventsDuring(api, institution, () => revoke(id));
    expect(events.map(({ type }) => type)).toEqual(['license.expired']);
    expect((await get(`/licenses/${id}`)).data.status).toBe('revoked');
  });

  it.each([['too long', 'x'.repeat(501)], ['with control characters', 'a\u0000b'], ['empty', '  '], ['no text', 7]])(
    'refuses a reason that is %s',
    async (_, reason) => {
      const { id } = await seedLicense(api, institution);
      expect(issuesOf(await revoke(id, { reason }))).toEqual([422, 'validation_error', ['reason']]);
    },
  );

  it('needs licenses:write, reading does not', async () => {
    const { id } = await seedLicense(api, institution);
    const reader = await api.keyFor(institution, ['licenses:read']);
    expect((await api.call('GET', `/licenses/${id}`, { key: reader })).status).toBe(200);
    const { status, body } = await api.call('POST', `/licenses/${id}/revoke`, { key: reader });
    expect([status, body.error, body.missing]).toEqual([403, 'insufficient_scope', ['licenses:write']]);
  });
});
