import { Client } from 'pg';
import { setTimeout as wait } from 'node:timers/promises';
import { EndpointEntity } from '../../db/entities/endpoint';
import { deliveriesOf } from '../support/deliveries';
import { seedDelivery } from '../support/seed/deliveries';
import { apiFixture } from '../support/apiFixture';

const { api, institution } = apiFixture({ settings: () => ({ webhookTrustedHosts: ['127.0.0.1:9999'] }) });

const url = 'http://127.0.0.1:9999/institution';
const create = (body: object = {}) => api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url, events: ['*'], ...body } });
const get = (id: string) => api.call('GET', `/webhooks/endpoints/${id}`, { key: institution.apiKey });
const patch = (id: string, body: object) => api.call('PATCH', `/webhooks/endpoints/${id}`, { key: institution.apiKey, body });
const remove = (id: string) => api.call('DELETE', `/webhooks/endpoints/${id}`, { key: institution.apiKey });
const stored = (id: string) => api.api.domain.database.manager.findOneByOrFail(EndpointEntity, { id });

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

  // Contract: webhooks.update.status
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
    await api.api.domain.database.manager.update(EndpointEntity, { id: data.id }, { pausedAt, clockPausedSince: pausedAt });
    const deadlineAt = new Date(pausedAt.getTime() + hour);
    const during = new Date(pausedAt.getTime() + hour);
    const before = new Date(pausedAt.getTime() - hour);
    const old = await seedDelivery(api, institution, data.id, { status: 'held', createdAt: before, deadlineAt, nextAttemptAt: deadlineAt });
    const young = await seedDelivery(api, institution, data.id, { status: 'held', createdAt: during, deadlineAt });
    const fresh = await seedDelivery(api, institution, data.id, { status: 'held', createdAt: during });
    const done = await seedDelivery(api, institution, data.id, { status: 'dead', createdAt: before, deadlineAt });

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
    const client = new Client({ connectionString: api.stack.databaseUrl });
    await client.connect();
    try {
      await client.query('LISTEN institution_work');
      // Wake-ups of the commits before may still be on their way.
      await wait(100);
      const notified = new Promise((resolve) => client.once('notification', resolve));
      await patch(data.id, { status: 'active' });
      await notified;
    } finally {
      await client.end();
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
  // Contract: endpoints.delete-webhook-endpoint
  it('hides it, cancels its open deliveries and signals the workflows that retry some', async () => {
    const { data } = await create();
    const other = (await create()).data.id;
    const claimed = { claimedBy: 'sender-1', claimedUntil: new Date(Date.now() + 20_000) };
    const seed = (fields: object, endpointId = data.id) => seedDelivery(api, institution, endpointId, fields);
    const open = [
      await seed({ status: 'pending' }),
      await seed({ status: 'pending', ...claimed }),
      await seed({ status: 'held' }),
      await seed({ status: 'retrying', nextAttemptAt: new Date(Date.now() + 60_000) }),
      await seed({ status: 'retrying', cycle: 3, ...claimed }),
    ];
    const ended = [await seed({ status: 'delivered' }), await seed({ status: 'dead' })];
    const untouched = await seed({ status: 'pending' }, other);

    expect((await remove(data.id)).data).toEqual({ id: data.id, deleted: true });
    for (const answer of [await get(data.id), await patch(data.id, { status: 'paused' }), await api.call('POST', `/webhooks/endpoints/${data.id}/rotate-secret`, { key: institution.apiKey }), await remove(data.id)]) {
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    }
    const rows = await deliveriesOf(api, data.id);
    expect(open.map((id) => rows.get(id))).toEqual(open.map(() => expect.objectContaining({ status: 'cancelled', claimedBy: null, nextAttemptAt: null })));
    expect(ended.map((id) => rows.get(id)?.status)).toEqual(['delivered', 'dead']);
    expect((await deliveriesOf(api, other)).get(untouched)?.status).toBe('pending');
    const outboxRows = await api.api.domain.database.sql<{ kind: string; name: string; workflow_id: string }>(
      'SELECT kind, name, workflow_id FROM owed_workflows WHERE institution_id = $1 ORDER BY workflow_id',
      [institution.id],
    );
    expect(outboxRows).toEqual(
      [open[3], `${open[4] ?? ''}:3`].sort().map((workflow_id) => ({ kind: 'signal', name: 'cancel', workflow_id })),
    );
    const listed = await api.call('GET', '/webhooks/deliveries', { key: institution.apiKey, query: { endpoint_id: data.id } });
    expect(listed.data.total).toBe(7);
  });

  it('cancels more deliveries than one statement takes', async () => {
    const { data } = await create();
    await api.api.domain.database.sql(
      `INSERT INTO open_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, created_at)
       SELECT 'whd_bulk' || n, $1, $2, 'evt_' || n, 'exam.graded', now(), (ARRAY['pending', 'held', 'retrying'])[1 + n % 3], now()
         FROM generate_series(1, 2500) AS n`,
      [institution.id, data.id],
    );
    expect((await remove(data.id)).status).toBe(200);
    const statuses = new Set([...(await deliveriesOf(api, data.id)).values()].map(({ status }) => status));
    expect(statuses).toEqual(new Set(['cancelled']));
  });
});
