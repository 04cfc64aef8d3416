import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { DeliveryStatus } from '../../db/repositories/webhooks/deliveryStatus';
import { EndpointEntity } from '../../db/entities/endpoint';
import { changeDeliveries, deliveriesOf } from '../support/deliveries';
import { apiFixture } from '../support/apiFixture';
import { deliveryCalls } from '../support/deliveryCalls';
import { endpointForEachTest } from '../support/seed/endpoints';

const fixture = apiFixture();
const { api, institution, sql } = fixture;
const testEndpoint = endpointForEachTest(fixture);
const { seed, get, stored } = deliveryCalls(fixture, testEndpoint);

const replay = (id: string, body: object = {}) => api.call('POST', `/webhooks/deliveries/${id}/replay`, { key: institution.apiKey, body });

describe('replaying a delivery', () => {
  const ended = { attempts: 12, scheduleStep: 12, responseCode: 500, firstAttemptAt: new Date(0), deadlineAt: new Date(43_200_000), deliveredAt: new Date(1) };

  // Contract: deliveries.replay.sends-again, deliveries.dead.replayed
  it.each<DeliveryStatus>(['delivered', 'dead', 'cancelled'])('that is %s opens a new cycle of the same id, due at once', async (status) => {
    const id = await seed({ ...ended, status });
    const before = (await get(id)).data;
    const answer = await replay(id);
    expect(answer.status).toBe(200);
    const { attempt_log: _log, sent_by: _refs, ended_because: _because, ...fields } = before;
    const replayed = { ...fields, status: 'pending', attempts: 12, response_code: null, next_attempt_at: null, deadline_at: answer.data.deadline_at, delivered_at: null };
    expect(answer.data).toEqual({ ...replayed, applied: true });
    expect((await get(id)).data).toEqual({ ...replayed, ended_because: null, attempt_log: [], sent_by: [] });
    expect(await stored(id)).toMatchObject({ cycle: 2, scheduleStep: 0, firstAttemptAt: null, claimedBy: null, claimedUntil: null });
    expect(await sql('SELECT retried_by, held_at FROM deliveries WHERE id = $1', [id])).toEqual([{ retried_by: null, held_at: null }]);
  });

  // Contract: webhooks.retries.up-to-12-hours, limits.webhooks.retry-12-hours
  it('has 12 hours from the replay on until its first attempt begins', async () => {
    const id = await seed({ ...ended, status: 'dead' });
    const before = Date.now();
    const { data } = await replay(id);
    const asked = Date.parse(data.deadline_at) - 43_200_000;
    expect(asked).toBeGreaterThanOrEqual(before);
    expect(asked).toBeLessThanOrEqual(Date.now());
  });

  it.each<DeliveryStatus>(['pending', 'retrying', 'held'])('that is %s is a conflict and changes nothing', async (status) => {
    const id = await seed({ ...ended, status });
    const before = await stored(id);
    const { status: code, body } = await replay(id, { ref: 'r-1' });
    expect([code, body.error]).toEqual([409, 'conflict']);
    expect(await stored(id)).toEqual(before);
  });

  it.each([
    ['paused', { status: 'paused' as const, pausedAt: new Date() }],
    ['disabled', { status: 'disabled' as const }],
    ['deleted', { deletedAt: new Date() }],
  ])('to an endpoint that is %s answers endpoint_inactive', async (_what, endpoint) => {
    const id = await seed({ status: 'dead' });
    await api.api.domain.database.manager.update(EndpointEntity, { id: testEndpoint.id }, endpoint);
    const { status, body } = await replay(id);
    expect([status, body.error]).toEqual([409, 'endpoint_inactive']);
    expect((await stored(id))?.status).toBe('dead');
  });

  it.each<DeliveryStatus>(['pending', 'retrying', 'held'])('that is %s and whose endpoint is paused or disabled answers endpoint_inactive, which comes first', async (status) => {
    const id = await seed({ ...ended, status });
    for (const endpoint of [{ status: 'paused' as const, pausedAt: new Date() }, { status: 'disabled' as const, pausedAt: null }]) {
      await api.api.domain.database.manager.update(EndpointEntity, { id: testEndpoint.id }, endpoint);
      const { status: code, body } = await replay(id);
      expect([code, body.error]).toEqual([409, 'endpoint_inactive']);
    }
  });

  // Contract: errors.410.event-pruned
  it('whose event was pruned answers event_pruned', async () => {
    const id = await seed({ status: 'dead' });
    await sql('DELETE FROM events WHERE institution_id = $1', [institution.id]);
    const { status, body } = await replay(id);
    expect([status, body.error]).toEqual([410, 'event_pruned']);
    expect((await stored(id))?.status).toBe('dead');
  });

  // Contract: idempotency.event-replays.ref
  it('under the same ref answers the first replay with applied false, regardless of its result', async () => {
    const id = await seed({ status: 'dead' });
    const first = await replay(id, { ref: 'r-1' });
    const { applied: _applied, ...delivery } = first.data;
    expect(first.data.applied).toBe(true);
    expect((await replay(id, { ref: 'r-1' })).data).toEqual({ ...delivery, applied: false });
    await changeDeliveries(sql, "SET status = 'dead', attempts = 12 WHERE id = $1", [id]);
    await api.api.domain.database.manager.update(EndpointEntity, { id: testEndpoint.id }, { status: 'disabled' });
    expect((await replay(id, { ref: 'r-1' })).data).toEqual({ ...delivery, status: 'dead', attempts: 12, applied: false });
    expect((await stored(id))?.cycle).toBe(2);
  });

  it('under another ref, or without one, is another replay', async () => {
    const id = await seed({ status: 'dead' });
    const end = () => changeDeliveries(sql, "SET status = 'dead' WHERE id = $1", [id]);
    for (const body of [{ ref: 'r-1' }, { ref: 'r-2' }, {}, {}]) {
      expect((await replay(id, body)).data.applied).toBe(true);
      await end();
    }
    expect((await stored(id))?.cycle).toBe(5);
  });

  it('uses a ref for one delivery alone', async () => {
    const [one, two] = [await seed({ status: 'dead' }), await seed({ status: 'dead' })];
    expect([(await replay(one, { ref: 'r-1' })).data.applied, (await replay(two, { ref: 'r-1' })).data.applied]).toEqual([true, true]);
  });

  // Contract: idempotency.event-replays.ref
  it('ten times at once under one ref applies once', async () => {
    const id = await seed({ status: 'dead' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => replay(id, { ref: 'r-1' })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ data }) => data.applied)).toHaveLength(1);
    expect((await stored(id))?.cycle).toBe(2);
  });

  it('ten times at once without a ref applies once and conflicts nine times', async () => {
    const id = await seed({ status: 'dead' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => replay(id)));
    expect(answers.map(({ status, body }) => body.error ?? status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 'conflict')]);
    expect((await stored(id))?.cycle).toBe(2);
  });

  it('at the moment its endpoint is deleted is either cancelled with it or refused', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 8; n += 1) ids.push(await seed({ status: 'dead' }));
    const remove = api.call('DELETE', `/webhooks/endpoints/${testEndpoint.id}`, { key: institution.apiKey });
    const answers = await Promise.all(ids.map((id) => replay(id)));
    expect((await remove).status).toBe(200);
    const rows = await deliveriesOf(api, testEndpoint.id);
    const outcomes = ids.map((id, n) => [answers[n]?.body.error ?? 'applied', rows.get(id)?.status].join(' '));
    expect(outcomes.filter((outcome) => outcome !== 'applied cancelled' && outcome !== 'endpoint_inactive dead')).toEqual([]);
  });

  it('wakes the workers', async () => {
    const id = await seed({ status: 'dead' });
    const client = new Client({ connectionString: api.stack.databaseUrl });
    await client.connect();
    try {
      await client.query('LISTEN institution_work');
      // Wake-ups of the commits before may still be on their way.
      await wait(100);
      const notified = new Promise((resolve) => client.once('notification', resolve));
      await replay(id);
      await notified;
    } finally {
      await client.end();
    }
  });

  it.each([
    ['an empty ref', { ref: '' }, 'ref'],
    ['a ref of 201 characters', { ref: 'x'.repeat(201) }, 'ref'],
    ['a ref that is no text', { ref: 7 }, 'ref'],
    ['an unknown field', { force: true }, 'force'],
  ])('refuses %s', async (_what, body, path) => {
    const id = await seed({ status: 'dead' });
    const answer = await replay(id, body);
    expect([answer.status, answer.body.error, answer.body.issues[0].path]).toEqual([422, 'validation_error', path]);
  });

  it('wants the scope webhooks:write', async () => {
    const key = await api.keyFor(institution, ['webhooks:read']);
    const { status, body } = await api.call('POST', `/webhooks/deliveries/${await seed({ status: 'dead' })}/replay`, { key, body: {} });
    expect([status, body.missing]).toEqual([403, ['webhooks:write']]);
  });
});
