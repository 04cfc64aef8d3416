import { EndpointEntity } from '../../db/entities/endpoint';
import { newId } from '../../domain/ids';
import { endpointPlace } from '../../domain/webhooks/endpointPlace';
import { idsIn } from '../support/responses';
import { apiFixture } from '../support/apiFixture';

const { api, institution } = apiFixture({ settings: () => ({ webhookTrustedHosts: ['127.0.0.1:9999'] }) });

const url = 'http://127.0.0.1:9999/institution';
const create = (body: object = {}, target = institution) =>
  api.call('POST', '/webhooks/endpoints', { key: target.apiKey, body: { url, events: ['*'], ...body } });
const get = (id: string) => api.call('GET', `/webhooks/endpoints/${id}`, { key: institution.apiKey });
const patch = (id: string, body: object) => api.call('PATCH', `/webhooks/endpoints/${id}`, { key: institution.apiKey, body });
const rotate = (id: string, body: object = {}) => api.call('POST', `/webhooks/endpoints/${id}/rotate-secret`, { key: institution.apiKey, body });
const remove = (id: string) => api.call('DELETE', `/webhooks/endpoints/${id}`, { key: institution.apiKey });
const stored = (id: string) => api.api.domain.database.manager.findOneByOrFail(EndpointEntity, { id });

describe('creating an endpoint', () => {
  // Contract: webhooks.endpoint.fields, webhooks.secret.only-at-creation-and-rotation, webhooks.create.body, webhooks.create.secret-once
  // Contract: endpoints.get-webhook-endpoint
  it('answers it with its secret, once', async () => {
    const { status, data } = await create({ description: 'Gradebook', events: ['exam.*', 'student.created'] });
    expect(status).toBe(200);
    expect(data).toEqual({
      id: expect.stringMatching(/^we_[0-9a-z]{26}$/),
      url,
      description: 'Gradebook',
      events: ['exam.*', 'student.created'],
      status: 'active',
      rate_limit: null,
      created_at: expect.any(String),
      last_success_at: null,
      last_failure_at: null,
      consecutive_failures: 0,
      circuit: 'closed',
      next_probe_at: null,
      disabled_reason: null,
      secret_rotated_at: null,
      previous_secret_expires_at: null,
      header_names: [],
      signature_scheme: 'hmac',
      public_key: null,
      previous_public_key: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...rest } = data;
    expect((await get(data.id)).data).toEqual(rest);
    const list = await api.call('GET', '/webhooks/endpoints', { key: institution.apiKey });
    expect(list.data.items).toEqual([rest]);
    expect(secret).toBeDefined();
  });

  it('seals the secret at rest', async () => {
    const { data } = await create();
    const { secretSealed } = await stored(data.id);
    expect(secretSealed).not.toContain(data.secret.slice(6));
    expect(api.api.domain.secrets.open(secretSealed, endpointPlace({ institutionId: institution.id, id: data.id }, 'secret_sealed'))).toBe(data.secret);
  });

  it.each([
    ['the lowest limit', 1, 200],
    ['the highest limit', 1_000, 200],
    ['no limit', null, 200],
    ['a limit of nothing', 0, 422],
    ['a limit that is too high', 1_001, 422],
    ['a limit that is no whole number', 1.5, 422],
  ])('takes %s of deliveries per second where it may, on creation and later', async (_what, rate_limit, expected) => {
    const created = await create({ rate_limit });
    expect(created.status).toBe(expected);
    const { data } = await create();
    const changed = await patch(data.id, { rate_limit });
    expect([changed.status, (await get(data.id)).data.rate_limit]).toEqual([expected, expected === 200 ? rate_limit : null]);
    if (expected === 200) expect([created.data.rate_limit, (await patch(data.id, { description: 'Other' })).data.rate_limit]).toEqual([rate_limit, rate_limit]);
  });

  // Contract: webhooks.create.body, webhooks.subscriptions.patterns
  it.each([
    ['*, a prefix and an exact type', ['*', 'exam.*', 'exam.graded', 'ping'], ['*', 'exam.*', 'exam.graded', 'ping']],
    ['duplicates, folded', ['exam.*', 'exam.*', 'exam.graded', 'exam.*'], ['exam.*', 'exam.graded']],
    ['50 of them', Array.from({ length: 50 }, () => 'exam.graded'), ['exam.graded']],
  ])('takes %s', async (_what, events, kept) => {
    const { status, data } = await create({ events });
    expect([status, data.events]).toEqual([200, kept]);
  });

  // Contract: errors.422.events-required
  it.each([
    ['no list', undefined, 'events'],
    ['an empty list', [], 'events'],
    ['an empty text', [''], 'events.0'],
    ['an unknown type', ['exam.graded', 'exam.eaten'], 'events.1'],
    ['a prefix of nothing', ['lunch.*'], 'events.0'],
    ['a prefix without its dot', ['exam*'], 'events.0'],
    ['a star in the middle', ['exam.*.graded'], 'events.0'],
    ['an inherited name', ['toString'], 'events.0'],
  ])('answers events_required to %s', async (_what, events, path) => {
    const { status, body } = await create({ events });
    expect([status, body.error, body.issues.map((issue: { path: string }) => issue.path)]).toEqual([422, 'events_required', [path]]);
  });

  it('names the event type that was probably meant', async () => {
    const { body } = await create({ events: ['student.craeted', 'exams.*', 'lunch.eaten'] });
    expect(body.message).toBe('Unknown event type: student.craeted (did you mean student.created?), exams.* (did you mean exam.*?), lunch.eaten. GET /v1/events/types lists them.');
    expect(body.issues[0]).toEqual({ path: 'events.0', message: 'unknown event type: student.craeted (did you mean student.created?)' });
  });

  // Contract: webhooks.create.body
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

describe('the limit of 20 endpoints', () => {
  // Contract: webhooks.limit.20-endpoints, errors.422.endpoint-limit, limits.webhooks.20-endpoints
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
  // Contract: webhooks.list.response
  it('is paged, newest first, without the deleted ones and those of others', async () => {
    const ids = [];
    for (let n = 0; n < 4; n += 1) ids.unshift((await create()).data.id);
    await create({}, await api.institution());
    await remove(ids[1] ?? '');
    const page = (query: Record<string, number>) => api.call('GET', '/webhooks/endpoints', { key: institution.apiKey, query });
    const { data } = await page({ limit: 2 });
    expect(idsIn(data.items)).toEqual([ids[0], ids[2]]);
    expect([data.page, data.limit, data.total, data.has_more]).toEqual([1, 2, 3, true]);
    const last = (await page({ limit: 2, page: 2 })).data;
    expect([idsIn(last.items), last.has_more]).toEqual([[ids[3]], false]);
  });
});

/** The present and the previous secret of an endpoint. */
function openedSecrets(row: EndpointEntity): string[] {
  const { secrets } = api.api.domain;
  return [secrets.open(row.secretSealed, endpointPlace(row, 'secret_sealed')), secrets.open(row.previousSecretSealed ?? '', endpointPlace(row, 'previous_secret_sealed'))];
}

describe('rotating the secret', () => {
  // Contract: webhooks.secret.only-at-creation-and-rotation, webhooks.rotate-secret.response, webhooks.rotate-secret.grace-hours
  it('answers a new one once and keeps the old one for 24 hours', async () => {
    const { data } = await create();
    const { status, data: rotated } = await rotate(data.id);
    expect(status).toBe(200);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(data.secret);
    const graceMs = Date.parse(rotated.previous_secret_expires_at) - Date.parse(rotated.secret_rotated_at);
    expect(graceMs).toBe(24 * 3_600_000);
    const row = await stored(data.id);
    expect(openedSecrets(row)).toEqual([rotated.secret, data.secret]);
    expect((await get(data.id)).data.secret).toBeUndefined();
  });

  it('twice within the grace keeps the newest two', async () => {
    const { data } = await create();
    const second = (await rotate(data.id, { grace_hours: 168 })).data.secret;
    const third = (await rotate(data.id, { grace_hours: 1 })).data.secret;
    const row = await stored(data.id);
    expect(openedSecrets(row)).toEqual([third, second]);
  });

  // Contract: webhooks.rotate-secret.body, webhooks.rotate-secret.grace-hours
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

  // Contract: webhooks.rotate-secret.body
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
    const call = (id: string) => api.call(method, `/webhooks/endpoints/${id}${rest}`, { key: institution.apiKey });
    const [theirs, nobodys] = [await call(foreign), await call(newId('we'))];
    expect([theirs.status, theirs.body]).toEqual([404, nobodys.body]);
    expect(theirs.body.error).toBe('not_found');
  });
});
