import fc from 'fast-check';
import { isTimeZone } from '../../../lib/timeZone';
import { idsIn } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';

const { api } = apiFixture({ institutionPer: 'none' });
let made = 0;

const wanted = (over: object = {}) => {
  made += 1;
  return { name: 'North School', login_domain: `school${made}.example`, admin_email: `office${made}@mail.example`, admin_name: 'Ada Admin', ...over };
};
const create = (over: object = {}) => api.platform('POST', '/institutions', { body: wanted(over) });
const decide = (id: string, step: 'approve' | 'suspend') => api.platform('POST', `/institutions/${id}/${step}`);

describe('creating an institution', () => {
  it('answers a pending institution in UTC with its admin, and never the admin\'s own address', async () => {
    const body = wanted({ login_domain: 'fresh.example' });
    const { status, data } = await api.platform('POST', '/institutions', { body });
    expect(status).toBe(200);
    expect(data).toMatchObject({ name: 'North School', status: 'pending', login_domain: 'fresh.example', time_zone: 'UTC', allowance_cents: 0 });
    expect(data.admin.login_email).toMatch(/^faculty1\.[0-9a-f]{8}@fresh\.example$/);
    expect(JSON.stringify(data)).not.toContain(body.admin_email);
  });

  it('emits faculty.created and license.generated for the admin', async () => {
    const { data } = await create();
    const events = await api.api.domain.database.sql<{ type: string; body: string }>(
      'SELECT type, body FROM events WHERE institution_id = $1 ORDER BY created_at',
      [data.id],
    );
    expect(events.map(({ type }) => type)).toEqual(['faculty.created', 'license.generated']);
    expect(JSON.parse(events[0]?.body ?? '').data.faculty_id).toBe(data.admin.id);
  });

  it('keeps time zone and allowance, and lower-cases the login domain', async () => {
    const { data } = await create({ login_domain: 'Mixed.Case.Example', time_zone: 'Asia/Kolkata', allowance_cents: 12_345 });
    expect(data).toMatchObject({ login_domain: 'mixed.case.example', time_zone: 'Asia/Kolkata', allowance_cents: 12_345 });
  });

  it('refuses a login domain that another institution has with conflict, of many at once all but one', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ login_domain: 'Taken.example' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error).toBe('conflict');
  });

  it.each(['north', '-a.example', 'a-.example', 'a..example', 'a.example.', '.example', 'a b.example', '10.0.0.1', 'ä.example', `${'a'.repeat(64)}.example`, 'a@b.example'])(
    'refuses %s as a login domain',
    async (login_domain) => {
      const { status, body } = await create({ login_domain });
      expect([status, body.issues?.map((issue: { path: string }) => issue.path)]).toEqual([422, ['login_domain']]);
    },
  );

  it.each(['Mars/Olympus', '+02:00', 'GMT+25', ''])('refuses %p as a time zone', async (time_zone) => {
    const { status, body } = await create({ time_zone });
    expect([status, body.issues?.[0]?.path]).toEqual([422, 'time_zone']);
  });

  it('names every problem of a bad body', async () => {
    const { body } = await api.platform('POST', '/institutions', { body: { name: '', allowance_cents: -1, status: 'approved' } });
    expect(body.issues.map((issue: { path: string }) => issue.path).sort()).toEqual(
      ['admin_email', 'admin_name', 'allowance_cents', 'login_domain', 'name', 'status'],
    );
  });
});

describe('reading institutions', () => {
  it('lists them newest first, page by page, with the exact total', async () => {
    const { data: older } = await create();
    const { data: newer } = await create();
    const { data: all } = await api.platform('GET', '/institutions', { query: { limit: 200 } });
    expect(idsIn(all.items.slice(0, 2))).toEqual([newer.id, older.id]);
    const { data: second } = await api.platform('GET', '/institutions', { query: { limit: 1, page: 2 } });
    expect(second).toMatchObject({ items: [{ id: older.id }], page: 2, limit: 1, total: all.total, has_more: true });
  });

  it('answers one as its creation did, and 404 for an unknown one', async () => {
    const { data } = await create();
    expect((await api.platform('GET', `/institutions/${data.id}`)).data).toEqual(data);
    expect((await api.platform('GET', '/institutions/ins_none')).body.error).toBe('not_found');
  });
});

describe('approving and suspending', () => {
  // Contract: institutions.suspended.keys-refused, institutions.reapproved.keys-and-webhooks-resume
  it('makes every key of a suspended institution invalid at its next request, and approval makes the same keys valid again', async () => {
    const institution = await api.institution();
    const keys = [institution.apiKey, await api.keyFor(institution, ['students:read'])];
    const answers = () => Promise.all(keys.map(async (key) => (await api.call('GET', '/students', { key })).body.error ?? 'ok'));
    expect(await answers()).toEqual(['ok', 'ok']);
    expect((await decide(institution.id, 'suspend')).data.status).toBe('suspended');
    expect(await answers()).toEqual(['invalid_api_key', 'invalid_api_key']);
    expect((await decide(institution.id, 'approve')).data.status).toBe('approved');
    expect(await answers()).toEqual(['ok', 'ok']);
  });

  it('changes nothing when the institution is there already', async () => {
    const { data } = await create();
    await decide(data.id, 'approve');
    const updated = async () =>
      (await api.api.domain.database.sql<{ updated_at: Date }>('SELECT updated_at FROM institutions WHERE id = $1', [data.id]))[0]?.updated_at;
    const before = await updated();
    expect(await decide(data.id, 'approve')).toMatchObject({ status: 200, data: { status: 'approved' } });
    expect(await updated()).toEqual(before);
    await decide(data.id, 'suspend');
    expect(await decide(data.id, 'suspend')).toMatchObject({ status: 200, data: { status: 'suspended' } });
  });

  it('refuses to suspend an institution that was never approved', async () => {
    const { data } = await create();
    const { status, body } = await decide(data.id, 'suspend');
    expect([status, body.error]).toEqual([409, 'conflict']);
  });

  it('answers 404 for an unknown institution', async () => {
    expect((await decide('ins_none', 'approve')).status).toBe(404);
    expect((await decide('ins_none', 'suspend')).status).toBe(404);
  });
});

describe('a time zone', () => {
  it('is every zone that the runtime lists, and UTC', () => {
    fc.assert(fc.property(fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone')), isTimeZone));
  });

  it('is no offset', () => {
    const offset = fc.tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([sign, hours, minutes]) => `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`);
    fc.assert(fc.property(offset, (text) => !isTimeZone(text)));
  });
});
