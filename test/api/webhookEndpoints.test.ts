import { setTimeout as wait } from 'node:timers/promises';
import { EndpointEntity } from '../../db/entities/endpoint';
import { newId } from '../../domain/ids';
import { createHostAddresses } from '../../outbound/webhooks/hostAddresses';
import { hostileHosts } from '../domain/webhooks/hostileHosts';
import { startNameServer, type NameServer } from '../outbound/webhooks/nameServer';
import { deliveriesOf, plantDelivery } from '../support/deliveries';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';

let api: TestApi;
let names: NameServer;
let north: TestInstitution;

const zone: Record<string, readonly string[]> = {
  'hooks.example.org': ['8.8.8.8'],
  'inside.example.org': ['10.0.0.7'],
  'mixed.example.org': ['8.8.8.8', '127.0.0.1'],
};

beforeAll(async () => {
  names = await startNameServer((name) => zone[name] ?? []);
  api = await startTestApi({ webhookTrustedHosts: ['127.0.0.1:9999'] });
  // The names of these tests exist on their own name server alone.
  const { isPrivate } = createHostAddresses({ trustedHosts: api.settings.webhookTrustedHosts, resolver: names.resolver });
  Object.assign(api.api.domain, { webhookHostIsPrivate: isPrivate });
});

beforeEach(async () => {
  north = await api.institution();
});

afterAll(async () => {
  await api.stop();
  await names.close();
});

const url = 'https://hooks.example.org/institution';
const create = (body: object = {}, institution = north) =>
  api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url, events: ['*'], ...body } });
const get = (id: string) => api.call('GET', `/webhooks/endpoints/${id}`, { key: north.apiKey });
const patch = (id: string, body: object) => api.call('PATCH', `/webhooks/endpoints/${id}`, { key: north.apiKey, body });
const rotate = (id: string, body: object = {}) => api.call('POST', `/webhooks/endpoints/${id}/rotate-secret`, { key: north.apiKey, body });
const remove = (id: string) => api.call('DELETE', `/webhooks/endpoints/${id}`, { key: north.apiKey });
const stored = (id: string) => api.api.domain.database.manager.findOneByOrFail(EndpointEntity, { id });

describe('creating an endpoint', () => {
  it('answers it with its secret, once', async () => {
    const { status, data } = await create({ description: 'Gradebook', events: ['exam.*', 'student.created'] });
    expect(status).toBe(200);
    expect(data).toEqual({
      id: expect.stringMatching(/^we_[0-9a-z]{26}$/),
      url,
      description: 'Gradebook',
      events: ['exam.*', 'student.created'],
      status: 'active',
      created_at: expect.any(String),
      last_success_at: null,
      last_failure_at: null,
      consecutive_failures: 0,
      disabled_reason: null,
      secret_rotated_at: null,
      previous_secret_expires_at: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...rest } = data;
    expect((await get(data.id)).data).toEqual(rest);
    const list = await api.call('GET', '/webhooks/endpoints', { key: north.apiKey });
    expect(list.data.items).toEqual([rest]);
    expect(secret).toBeDefined();
  });

  it('seals the secret at rest', async () => {
    const { data } = await create();
    const { secretSealed } = await stored(data.id);
    expect(secretSealed).not.toContain(data.secret.slice(6));
    expect(api.api.domain.secrets.open(secretSealed)).toBe(data.secret);
  });

  it.each([
    ['*, a prefix and an exact type', ['*', 'exam.*', 'exam.graded', 'ping'], ['*', 'exam.*', 'exam.graded', 'ping']],
    ['duplicates, folded', ['exam.*', 'exam.*', 'exam.graded', 'exam.*'], ['exam.*', 'exam.graded']],
    ['50 of them', Array.from({ length: 50 }, () => 'exam.graded'), ['exam.graded']],
  ])('takes %s', async (_what, events, kept) => {
    const { status, data } = await create({ events });
    expect([status, data.events]).toEqual([200, kept]);
  });

  it.each([
    ['no list', undefined],
    ['an empty list', []],
    ['an empty text', ['']],
    ['an unknown type', ['exam.graded', 'exam.eaten']],
    ['a prefix of nothing', ['lunch.*']],
    ['a prefix without its dot', ['exam*']],
    ['a star in the middle', ['exam.*.graded']],
    ['an inherited name', ['toString']],
  ])('answers events_required to %s', async (_what, events) => {
    const { status, body } = await create({ events });
    expect([status, body.error]).toEqual([422, 'events_required']);
  });

  it.each([
    ['a missing url', { url: undefined }, ['url']],
    ['51 subscriptions', { events: Array.from({ length: 51 }, () => 'exam.graded') }, ['events']],
    ['events that are no list', { events: 'exam.*' }, ['events']],
    ['events that are no texts', { events: [7] }, ['events.0']],
    ['a description too long', { description: 'x'.repeat(1001) }, ['description']],
    ['fields of the service', { status: 'active', secret: 'whsec_mine', id: 'we_mine' }, ['id', 'secret', 'status']],
    ['several problems at once', { url: 7, events: null, colour: 'red' }, ['colour', 'events', 'url']],
  ])('refuses %s', async (_what, fields, paths) => {
    const { status, body } = await create(fields);
    expect([status, body.error, body.issues.map((issue: { path: string }) => issue.path).sort()]).toEqual([422, 'validation_error', paths]);
  });

  it('wants the scope webhooks:write', async () => {
    const { status, body } = await create({}, await api.institution(['webhooks:read']));
    expect([status, body.missing]).toEqual([403, ['webhooks:write']]);
  });
});

describe('the url of an endpoint', () => {
  const refused: [string, string, string][] = [
    ['http', 'http://hooks.example.org/x', 'https_required'],
    ['another scheme', 'ftp://hooks.example.org/x', 'https_required'],
    ['no scheme', 'hooks.example.org/x', 'validation_error'],
    ['no text at all', '', 'validation_error'],
    ['2,049 characters', `https://hooks.example.org/${'x'.repeat(2049 - 26)}`, 'validation_error'],
    ['a name and password', 'https://user:pass@hooks.example.org/x', 'validation_error'],
    ['a name alone', 'https://user@hooks.example.org/x', 'validation_error'],
    ['a fragment', 'https://hooks.example.org/x#here', 'validation_error'],
    ['an empty fragment', 'https://hooks.example.org/x#', 'validation_error'],
    ['port 80', 'https://hooks.example.org:80/x', 'validation_error'],
    ['port 1023', 'https://hooks.example.org:1023/x', 'validation_error'],
    ['port 65536', 'https://hooks.example.org:65536/x', 'validation_error'],
    ['a space', 'https://hooks.example.org/a b', 'validation_error'],
    ['a line break', 'https://hooks.example.org/a\nb', 'validation_error'],
    ['a backslash', 'https://hooks.example.org\\x', 'validation_error'],
    ['loopback', 'https://127.0.0.1/x', 'private_host'],
    ['loopback over http', 'http://127.0.0.1/x', 'https_required'],
    ['the port beside a trusted one', 'https://127.0.0.1:9998/x', 'private_host'],
    ['a private network', 'https://10.1.2.3/x', 'private_host'],
    ['the metadata service', 'https://169.254.169.254/latest', 'private_host'],
    ['an odd spelling', 'https://0x7f.1/x', 'private_host'],
    ['IPv6 loopback', 'https://[::1]/x', 'private_host'],
    ['localhost', 'https://localhost:8443/x', 'private_host'],
    ['a name of the house', 'https://db.internal/x', 'private_host'],
    ['a name that resolves to a private address', 'https://inside.example.org/x', 'private_host'],
    ['a name of which one address is private', 'https://mixed.example.org/x', 'private_host'],
  ];

  it.each(refused)('is refused with %s when created and when changed', async (_what, wanted, code) => {
    const { data } = await create();
    for (const answer of [await create({ url: wanted }), await patch(data.id, { url: wanted })]) {
      expect([answer.status, answer.body.error]).toEqual([422, code]);
      expect(answer.body.issues?.[0]?.path).toBe(code === 'validation_error' ? 'url' : undefined);
    }
    expect((await get(data.id)).data.url).toBe(url);
  });

  it('is refused for every hostile host known', async () => {
    const codes = await Promise.all(
      hostileHosts.map(async (host) => {
        const { status, body } = await create({ url: `https://${host}/hook` });
        return { host, status, code: body.error };
      }),
    );
    expect(codes.filter(({ status, code }) => status !== 422 || !['private_host', 'validation_error'].includes(code))).toEqual([]);
    expect((await api.call('GET', '/webhooks/endpoints', { key: north.apiKey })).data.total).toBe(0);
  });

  it.each([
    ['a public name', url],
    ['a high port', 'https://hooks.example.org:8443/x?y=1'],
    ['a public address', 'https://8.8.8.8/x'],
    ['a name that does not resolve now', 'https://later.example.org/x'],
    ['a trusted host, over http too', 'http://127.0.0.1:9999/x'],
  ])('may be %s, and is answered as it was spelt', async (_what, wanted) => {
    const { status, data } = await create({ url: wanted });
    expect([status, data.url]).toEqual([200, wanted]);
  });
});

describe('the limit of 20 endpoints', () => {
  it('holds when 26 are created at once, and a deleted one makes room', async () => {
    const answers = await Promise.all(Array.from({ length: 26 }, () => create()));
    const made = answers.filter(({ status }) => status === 200);
    expect(made.length).toBe(20);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.error}`))).toEqual(new Set(['422 endpoint_limit']));
    await patch(made[0]?.data.id, { status: 'paused' });
    expect((await create()).body.error).toBe('endpoint_limit');
    await remove(made[0]?.data.id);
    expect((await create()).status).toBe(200);
    expect((await create()).body.error).toBe('endpoint_limit');
  });
});

describe('the list of endpoints', () => {
  it('is paged, newest first, without the deleted ones and those of others', async () => {
    const ids = [];
    for (let n = 0; n < 4; n += 1) ids.unshift((await create()).data.id);
    await create({}, await api.institution());
    await remove(ids[1] ?? '');
    const page = (query: Record<string, number>) => api.call('GET', '/webhooks/endpoints', { key: north.apiKey, query });
    const { data } = await page({ limit: 2 });
    expect(data.items.map(({ id }: { id: string }) => id)).toEqual([ids[0], ids[2]]);
    expect([data.page, data.limit, data.total, data.has_more]).toEqual([1, 2, 3, true]);
    const last = (await page({ limit: 2, page: 2 })).data;
    expect([last.items.map(({ id }: { id: string }) => id), last.has_more]).toEqual([[ids[3]], false]);
  });
});

describe('changing an endpoint', () => {
  it('changes what is named and leaves the rest', async () => {
    const { data } = await create({ description: 'Gradebook' });
    const { secret: _secret, ...before } = data;
    expect((await patch(data.id, {})).data).toEqual(before);
    expect((await patch(data.id, { description: null })).data).toEqual({ ...before, description: null });
    expect((await patch(data.id, { url: 'https://8.8.8.8/y', events: ['exam.*', 'exam.*'] })).data).toEqual({
      ...before,
      description: null,
      url: 'https://8.8.8.8/y',
      events: ['exam.*'],
    });
    expect((await get(data.id)).data.url).toBe('https://8.8.8.8/y');
  });

  it.each([
    ['an empty list of events', { events: [] }, 'events_required'],
    ['an unknown event', { events: ['lunch.eaten'] }, 'events_required'],
    ['a status of the service', { status: 'disabled' }, 'validation_error'],
    ['null as url', { url: null }, 'validation_error'],
  ])('refuses %s and changes nothing', async (_what, changes, code) => {
    const { data } = await create();
    const { status, body } = await patch(data.id, { description: 'changed', ...changes });
    expect([status, body.error]).toEqual([422, code]);
    expect((await get(data.id)).data.description).toBeNull();
  });

  it('pauses, and a second pause moves nothing', async () => {
    const { data } = await create();
    expect((await patch(data.id, { status: 'paused' })).data.status).toBe('paused');
    const { pausedAt } = await stored(data.id);
    await patch(data.id, { status: 'paused' });
    expect((await stored(data.id)).pausedAt).toEqual(pausedAt);
  });

  it('resumes: what was held goes out with its deadline moved by what it saw of the pause', async () => {
    const { data } = await create();
    await patch(data.id, { status: 'paused' });
    const hour = 3_600_000;
    const pausedAt = new Date(Date.now() - 2 * hour);
    await api.api.domain.database.manager.update(EndpointEntity, { id: data.id }, { pausedAt });
    const deadlineAt = new Date(pausedAt.getTime() + hour);
    const during = new Date(pausedAt.getTime() + hour);
    const before = new Date(pausedAt.getTime() - hour);
    const old = await plantDelivery(api, north, data.id, { status: 'held', createdAt: before, deadlineAt, nextAttemptAt: deadlineAt });
    const young = await plantDelivery(api, north, data.id, { status: 'held', createdAt: during, deadlineAt });
    const fresh = await plantDelivery(api, north, data.id, { status: 'held', createdAt: during });
    const done = await plantDelivery(api, north, data.id, { status: 'dead', createdAt: before, deadlineAt });

    const { data: resumed } = await patch(data.id, { status: 'active' });
    expect(resumed.status).toBe('active');
    const rows = await deliveriesOf(api, data.id);
    const moved = (id: string) => ((rows.get(id)?.deadlineAt?.getTime() ?? 0) - deadlineAt.getTime()) / hour;
    expect([old, young, fresh].map((id) => rows.get(id)?.status)).toEqual(['pending', 'pending', 'pending']);
    expect(rows.get(old)?.nextAttemptAt).toBeNull();
    expect(moved(old)).toBeCloseTo(2, 1);
    expect(moved(young)).toBeCloseTo(1, 1);
    expect(rows.get(fresh)?.deadlineAt).toBeNull();
    expect([rows.get(done)?.status, rows.get(done)?.deadlineAt]).toEqual(['dead', deadlineAt]);
    expect((await stored(data.id)).pausedAt).toBeNull();
  });

  it('wakes the workers when it resumes', async () => {
    const { data } = await create();
    await patch(data.id, { status: 'paused' });
    const client = await api.api.domain.database.pool.connect();
    try {
      await client.query('LISTEN institution_work');
      // Wake-ups of the commits before may still be on their way.
      await wait(100);
      const heard = new Promise((resolve) => client.once('notification', resolve));
      await patch(data.id, { status: 'active' });
      await heard;
    } finally {
      await client.query('UNLISTEN *');
      client.release();
    }
  });

  it('brings a disabled one back without its failures, and refuses to pause it', async () => {
    const { data } = await create();
    const disabled = { status: 'disabled' as const, disabledReason: 'gone', consecutiveFailures: 41 };
    await api.api.domain.database.manager.update(EndpointEntity, { id: data.id }, disabled);
    expect((await get(data.id)).data).toMatchObject({ status: 'disabled', disabled_reason: 'gone', consecutive_failures: 41 });
    const paused = await patch(data.id, { status: 'paused' });
    expect([paused.status, paused.body.error]).toEqual([409, 'conflict']);
    expect((await patch(data.id, { status: 'active' })).data).toMatchObject({ status: 'active', disabled_reason: null, consecutive_failures: 0 });
  });
});

describe('deleting an endpoint', () => {
  it('hides it, cancels its open deliveries and tells the workflows that retry some', async () => {
    const { data } = await create();
    const other = (await create()).data.id;
    const claimed = { claimedBy: 'sender-1', claimedUntil: new Date(Date.now() + 20_000) };
    const plant = (fields: object, endpointId = data.id) => plantDelivery(api, north, endpointId, fields);
    const open = [
      await plant({ status: 'pending' }),
      await plant({ status: 'pending', ...claimed }),
      await plant({ status: 'held' }),
      await plant({ status: 'retrying', nextAttemptAt: new Date(Date.now() + 60_000) }),
      await plant({ status: 'retrying', cycle: 3, ...claimed }),
    ];
    const ended = [await plant({ status: 'delivered' }), await plant({ status: 'dead' })];
    const untouched = await plant({ status: 'pending' }, other);

    expect((await remove(data.id)).data).toEqual({ id: data.id, deleted: true });
    for (const answer of [await get(data.id), await patch(data.id, { status: 'paused' }), await rotate(data.id), await remove(data.id)]) {
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    }
    const rows = await deliveriesOf(api, data.id);
    expect(open.map((id) => rows.get(id))).toEqual(open.map(() => expect.objectContaining({ status: 'cancelled', claimedBy: null, nextAttemptAt: null })));
    expect(ended.map((id) => rows.get(id)?.status)).toEqual(['delivered', 'dead']);
    expect((await deliveriesOf(api, other)).get(untouched)?.status).toBe('pending');
    const owed = await api.api.domain.database.sql<{ kind: string; name: string; workflow_id: string }>(
      'SELECT kind, name, workflow_id FROM owed_workflows WHERE institution_id = $1 ORDER BY workflow_id',
      [north.id],
    );
    expect(owed).toEqual(
      [open[3], `${open[4] ?? ''}:3`].sort().map((workflow_id) => ({ kind: 'signal', name: 'cancel', workflow_id })),
    );
    const listed = await api.call('GET', '/webhooks/deliveries', { key: north.apiKey, query: { endpoint_id: data.id } });
    expect(listed.data.total).toBe(7);
  });

  it('cancels more deliveries than one statement takes', async () => {
    const { data } = await create();
    await api.api.domain.database.sql(
      `INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, created_at)
       SELECT 'whd_bulk' || n, $1, $2, 'evt_' || n, 'exam.graded', now(), (ARRAY['pending', 'held', 'retrying'])[1 + n % 3], now()
         FROM generate_series(1, 2500) AS n`,
      [north.id, data.id],
    );
    expect((await remove(data.id)).status).toBe(200);
    const statuses = new Set([...(await deliveriesOf(api, data.id)).values()].map(({ status }) => status));
    expect(statuses).toEqual(new Set(['cancelled']));
  });
});

describe('rotating the secret', () => {
  it('answers a new one once and keeps the old one for 24 hours', async () => {
    const { data } = await create();
    const { status, data: rotated } = await rotate(data.id);
    expect(status).toBe(200);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(data.secret);
    const graceMs = Date.parse(rotated.previous_secret_expires_at) - Date.parse(rotated.secret_rotated_at);
    expect(graceMs).toBe(24 * 3_600_000);
    const row = await stored(data.id);
    const { secrets } = api.api.domain;
    expect([secrets.open(row.secretSealed), secrets.open(row.previousSecretSealed ?? '')]).toEqual([rotated.secret, data.secret]);
    expect((await get(data.id)).data.secret).toBeUndefined();
  });

  it('twice within the grace keeps the newest two', async () => {
    const { data } = await create();
    const second = (await rotate(data.id, { grace_hours: 168 })).data.secret;
    const third = (await rotate(data.id, { grace_hours: 1 })).data.secret;
    const row = await stored(data.id);
    const { secrets } = api.api.domain;
    expect([secrets.open(row.secretSealed), secrets.open(row.previousSecretSealed ?? '')]).toEqual([third, second]);
  });

  it('with no grace ends the old one at once', async () => {
    const { data } = await create();
    await rotate(data.id);
    expect((await rotate(data.id, { grace_hours: 0 })).data.previous_secret_expires_at).toBeNull();
    expect((await stored(data.id)).previousSecretSealed).toBeNull();
  });

  it('shows the end of the grace only until it has passed', async () => {
    const { data } = await create();
    await rotate(data.id);
    await api.api.domain.database.manager.update(EndpointEntity, { id: data.id }, { previousSecretExpiresAt: new Date(Date.now() - 1) });
    expect((await get(data.id)).data.previous_secret_expires_at).toBeNull();
  });

  it.each([-1, 169, 1.5, '24', null])('refuses grace_hours %p', async (hours) => {
    const { data } = await create();
    const { status, body } = await rotate(data.id, { grace_hours: hours });
    expect([status, body.error, body.issues[0].path]).toEqual([422, 'validation_error', 'grace_hours']);
    expect((await stored(data.id)).secretRotatedAt).toBeNull();
  });
});

describe('an endpoint of another institution', () => {
  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
  ])('answers %s /webhooks/endpoints/{id}%s as one that does not exist', async (method, rest) => {
    const foreign = (await create({}, await api.institution())).data.id;
    const call = (id: string) => api.call(method, `/webhooks/endpoints/${id}${rest}`, { key: north.apiKey });
    const [theirs, nobodys] = [await call(foreign), await call(newId('we'))];
    expect([theirs.status, theirs.body]).toEqual([404, nobodys.body]);
    expect(theirs.body.error).toBe('not_found');
  });
});
