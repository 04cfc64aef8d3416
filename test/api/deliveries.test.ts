import { newId } from '../../domain/ids';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint, endpointForEachTest } from '../support/seed/endpoints';
import { apiFixture } from '../support/apiFixture';
import { deliveryCalls } from '../support/deliveryCalls';

const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);
const { commitEvent, get, seed, stored } = deliveryCalls(fixture, endpoint);

const list = (query: Record<string, string | number> = {}, target = institution) =>
  api.call('GET', '/webhooks/deliveries', { key: target.apiKey, query });
const idsOf = (data: { items: { id: string }[] }) => data.items.map(({ id }) => id);

describe('a delivery', () => {
  // Contract: deliveries.fields.id, deliveries.fields.outcome-and-payload, endpoints.get-delivery
  it('is answered with its envelope and its attempts in order', async () => {
    const event = await commitEvent();
    const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 9, 30, second, 125));
    const id = await endpoint.seedDelivery({
      eventId: event.id,
      eventType: 'exam.published',
      status: 'retrying',
      attempts: 2,
      responseCode: 500,
      nextAttemptAt: at(30),
      deadlineAt: at(50),
      createdAt: at(0),
    });
    const log = 'INSERT INTO webhook_attempts (endpoint_id, delivery_id, number, institution_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body) VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10, $11)';
    await sql(log, [endpoint.id, id, 2, institution.id, at(5), 84, 21, 500, 'http', 'Answered 500', '']);
    await sql(log, [endpoint.id, id, 1, institution.id, at(1), 10_000, null, null, 'timeout', 'No answer within 10 s', null]);

    const fields = {
      id,
      event_id: event.id,
      event_type: 'exam.published',
      endpoint_id: endpoint.id,
      status: 'retrying',
      attempts: 2,
      response_code: 500,
      next_attempt_at: '2026-11-20T09:30:30.125Z',
      deadline_at: '2026-11-20T09:30:50.125Z',
      created_at: '2026-11-20T09:30:00.125Z',
      delivered_at: null,
      payload: event,
    };
    expect((await list()).data.items).toEqual([fields]);
    const { status, data } = await get(id);
    expect(status).toBe(200);
    expect(data).toEqual({
      ...fields,
      attempt_log: [
        {
          number: 1, cycle: 1, started_at: '2026-11-20T09:30:01.125Z', duration_ms: 10_000, connect_ms: null,
          response_code: null, error_class: 'timeout', error: 'No answer within 10 s', response_body: null, resent: false,
        },
        {
          number: 2, cycle: 1, started_at: '2026-11-20T09:30:05.125Z', duration_ms: 84, connect_ms: 21,
          response_code: 500, error_class: 'http', error: 'Answered 500', response_body: '', resent: false,
        },
      ],
    });
  });

  it('has no payload once its event was pruned', async () => {
    const id = await seed({ status: 'delivered' });
    await sql('DELETE FROM events WHERE institution_id = $1', [institution.id]);
    expect((await get(id)).data).toMatchObject({ id, payload: null, attempt_log: [] });
    expect((await list()).data.items[0]).toMatchObject({ id, payload: null });
  });
});

describe('the list of deliveries', () => {
  const minute = (n: number) => new Date(Date.UTC(2026, 10, 20, 9, n, 0, 1));

  // Contract: deliveries.list.response
  it('is paged, newest first, with an exact total', async () => {
    const ids: string[] = [];
    for (const n of [2, 0, 1]) ids[2 - n] = await endpoint.seedDelivery({ createdAt: minute(n) });
    const first = (await list({ limit: 2 })).data;
    expect([idsOf(first), first.page, first.limit, first.total, first.has_more]).toEqual([ids.slice(0, 2), 1, 2, 3, true]);
    const second = (await list({ limit: 2, page: 2 })).data;
    expect([idsOf(second), second.has_more]).toEqual([ids.slice(2), false]);
  });

  // Contract: deliveries.list.query, deliveries.dead.listed
  it('filters by status, endpoint, event type and since, exclusively, and by all of them at once', async () => {
    const other = await seedEndpoint(api, institution, 'https://hooks.north.example/other');
    const dead = await endpoint.seedDelivery({ status: 'dead', createdAt: minute(1) });
    const graded = await seedDelivery(api, institution, other, { status: 'dead', eventType: 'student.created', createdAt: minute(2) });
    const held = await seedDelivery(api, institution, other, { status: 'held', createdAt: minute(3) });
    const found = async (query: Record<string, string>) => idsOf((await list(query)).data);
    expect(await found({ status: 'dead' })).toEqual([graded, dead]);
    expect(await found({ status: 'retrying' })).toEqual([]);
    expect(await found({ endpoint_id: other })).toEqual([held, graded]);
    expect(await found({ endpoint_id: newId('we') })).toEqual([]);
    expect(await found({ event_type: 'exam.graded' })).toEqual([held, dead]);
    expect(await found({ since: minute(2).toISOString() })).toEqual([held]);
    expect(await found({ since: new Date(minute(2).getTime() - 1).toISOString() })).toEqual([held, graded]);
    expect(await found({ status: 'dead', endpoint_id: other, event_type: 'student.created', since: minute(1).toISOString() })).toEqual([graded]);
  });

  it('leaves no delivery out and none twice when since is the newest created_at seen', async () => {
    const written = await api.api.domain.database.sql<{ id: string }>(
      `INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, created_at)
       SELECT 'whd_x' || right($1, 20) || n, $1, $2, 'evt_' || $1 || n, 'exam.graded', now(), 'dead', timestamptz '2026-11-20 09:00:00.0004Z' + n * interval '1.7 ms'
         FROM generate_series(1, 5) AS n RETURNING id`,
      [institution.id, endpoint.id],
    );
    const { data } = await list();
    for (const [n, { created_at }] of data.items.entries()) {
      expect(idsOf((await list({ since: created_at })).data)).toEqual(idsOf(data).slice(0, n));
    }
    expect(idsOf(data).sort()).toEqual(written.map(({ id }) => id).sort());
  });

  it('holds the deliveries of its own institution alone, by filter too', async () => {
    await endpoint.seedDelivery();
    const otherInstitution = await api.institution();
    expect((await list({}, otherInstitution)).data.total).toBe(0);
    expect((await list({ endpoint_id: endpoint.id }, otherInstitution)).data.items).toEqual([]);
  });

  it.each([
    ['an unknown status', { status: 'lost' }, 'status'],
    ['an inherited name as status', { status: 'constructor' }, 'status'],
    ['an unknown event type', { event_type: 'exam.eaten' }, 'event_type'],
    ['a since without zone', { since: '2026-11-20T09:30:00' }, 'since'],
    ['a limit of 201', { limit: 201 }, 'limit'],
    ['an unknown parameter', { colour: 'red' }, 'colour'],
  ])('refuses %s', async (_what, query, path) => {
    const { status, body } = await list(query);
    expect([status, body.error, body.issues[0].path]).toEqual([422, 'validation_error', path]);
  });
});

describe('a delivery of another institution', () => {
  it.each([
    ['GET', ''],
    ['POST', '/replay'],
  ])('answers %s /webhooks/deliveries/{id}%s as one that does not exist', async (method, rest) => {
    const foreign = await seed({ status: 'dead' });
    const { apiKey } = await api.institution();
    const call = (id: string) => api.call(method, `/webhooks/deliveries/${id}${rest}`, { key: apiKey });
    const [theirs, nobodys] = [await call(foreign), await call(newId('whd'))];
    expect([theirs.status, theirs.body.error]).toEqual([404, 'not_found']);
    expect(theirs.body).toEqual(nobodys.body);
    expect((await stored(foreign))?.status).toBe('dead');
  });
});
