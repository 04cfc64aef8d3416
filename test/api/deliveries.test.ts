import { newId } from '../../domain/ids';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint, endpointForEachTest } from '../support/seed/endpoints';
import type { StoredDelivery } from '../support/deliveries';
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
      errorClass: 'http',
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
      error_class: 'http',
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
      ended_because: null,
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
      sent_by: [],
    });
  });

  it('says why it was given up, by what ended it without an attempt or by its last attempt, and says it of no other', async () => {
    const because = async (id: string): Promise<string | null> => (await get(id)).data.ended_because;
    for (const [reason, words] of [['endpoint_disabled', 'its endpoint was disabled'], ['held_too_long', 'it had been held for 30 days'], ['deadline', /^its 12 hours were over: until then the circuit/]] as const) {
      const id = await seed({ status: 'dead' });
      await sql('UPDATE webhook_deliveries SET end_reason = $2, ended_at = now() WHERE id = $1', [id, reason]);
      expect([reason, await because(id)]).toEqual([reason, expect.stringMatching(words)]);
    }
    const aborted = await seed({ status: 'dead', attempts: 1, responseCode: 422 });
    await sql(
      `INSERT INTO webhook_attempts (endpoint_id, delivery_id, number, institution_id, cycle, started_at, duration_ms, response_code, error_class, error)
       VALUES ($1, $2, 1, $3, 1, now(), 8, 422, 'http', 'Answered 422 with Webhook-Abort')`,
      [endpoint.id, aborted, institution.id],
    );
    expect(await because(aborted)).toBe('its receiver asked for no further attempts (Webhook-Abort)');
    for (const status of ['delivered', 'pending', 'retrying', 'held'] as const) expect([status, await because(await seed({ status }))]).toEqual([status, null]);
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

  it('filters by the event: one delivery for each endpoint that has it', async () => {
    const event = await commitEvent();
    const other = await seedEndpoint(api, institution, 'https://hooks.north.example/other');
    const sent = await endpoint.seedDelivery({ eventId: event.id, status: 'delivered', createdAt: minute(1) });
    const held = await seedDelivery(api, institution, other, { eventId: event.id, status: 'held', createdAt: minute(2) });
    await endpoint.seedDelivery({ createdAt: minute(3) });
    expect(idsOf((await list({ event_id: event.id })).data)).toEqual([held, sent]);
    expect((await list({ event_id: newId('evt') })).data.items).toEqual([]);
  });

  it('filters by what sent them: the total shows how far a recovery is, and with a status how many arrived', async () => {
    const [delivered, pending] = [await endpoint.seedDelivery({ status: 'delivered', createdAt: minute(1) }), await endpoint.seedDelivery({ status: 'pending', createdAt: minute(2) })];
    await endpoint.seedDelivery({ status: 'delivered', createdAt: minute(3) });
    const recovery = newId('rcv');
    for (const id of [delivered, pending]) await sql('INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) VALUES ($1, $2, $3, 1, now())', [institution.id, id, recovery]);
    const sent = (await list({ sent_by: recovery })).data;
    expect([idsOf(sent), sent.total]).toEqual([[pending, delivered], 2]);
    const arrived = await list({ sent_by: recovery, status: 'delivered', limit: 1 });
    expect([arrived.status, arrived.data?.total, arrived.body.error]).toEqual([200, 1, undefined]);
    expect((await list({ sent_by: newId('rcv') })).data.total).toBe(0);
  });

  it('filters by open: what has not ended', async () => {
    const ids = [await endpoint.seedDelivery({ status: 'pending', createdAt: minute(1) }), await endpoint.seedDelivery({ status: 'held', createdAt: minute(2) }), await endpoint.seedDelivery({ status: 'retrying', nextAttemptAt: minute(9), createdAt: minute(3) })];
    for (const status of ['dead', 'delivered', 'cancelled'] as const) await endpoint.seedDelivery({ status });
    const { data } = await list({ status: 'open' });
    expect([idsOf(data), data.total]).toEqual([ids.reverse(), 3]);
  });

  describe('filtered by what the last attempt was answered', () => {
    const answered = (responseCode: number | null, errorClass: StoredDelivery['errorClass'], fields: Partial<StoredDelivery> = {}) =>
      endpoint.seedDelivery({ status: errorClass === null ? 'delivered' : 'dead', attempts: 1, responseCode, errorClass, ...fields });
    const found = async (query: Record<string, string>) => idsOf((await list(query)).data).sort();

    it.each(Object.entries({
      '200': ['delivered'],
      '2xx': ['delivered', 'late'],
      '4xx': ['gone', 'limited'],
      '429': ['limited'],
      '500': ['broken'],
      '503': ['away'],
      '5xx': ['away', 'broken'],
      '3xx': [],
      '504': [],
    }))('response_code=%s finds that code or class', async (code, names) => {
      const ids = {
        delivered: await answered(200, null), late: await answered(204, null), gone: await answered(410, 'http'), limited: await answered(429, 'http'),
        broken: await answered(500, 'http'), away: await answered(503, 'http', { status: 'held' }), unknown: await answered(null, 'dns'), waiting: await endpoint.seedDelivery(),
      };
      expect(await found({ response_code: code })).toEqual(Object.entries(ids).flatMap(([name, id]) => (names.some((wanted) => wanted === name) ? [id] : [])).sort());
    });

    it('error_class finds where it failed, and is shown', async () => {
      const [slow, refused] = [await answered(null, 'timeout', { status: 'retrying' }), await answered(null, 'connect')];
      await answered(200, null);
      expect(await found({ error_class: 'timeout' })).toEqual([slow]);
      expect(await found({ error_class: 'connect' })).toEqual([refused]);
      expect(await found({ error_class: 'tls' })).toEqual([]);
      expect((await list({ error_class: 'timeout' })).data.items[0]).toMatchObject({ error_class: 'timeout', response_code: null });
    });

    it('since and until are a range that excludes its beginning and includes its end, so that ranges one after the other share nothing', async () => {
      const ids: string[] = [];
      for (const n of [0, 1, 2, 3]) ids.push(await endpoint.seedDelivery({ createdAt: minute(n) }));
      const range = (since: number, until: number) => found({ since: minute(since).toISOString(), until: minute(until).toISOString() });
      expect(await found({ until: minute(1).toISOString() })).toEqual(ids.slice(0, 2).sort());
      expect(await range(0, 2)).toEqual(ids.slice(1, 3).sort());
      expect(await range(2, 3)).toEqual(ids.slice(3));
      expect(await range(3, 3)).toEqual([]);
    });

    it('all filters at once find what each of them finds', async () => {
      const other = await seedEndpoint(api, institution, 'https://hooks.north.example/other');
      const fields = { createdAt: minute(2), eventType: 'student.created', endpointId: other };
      const wanted = await answered(503, 'http', fields);
      for (const differs of [{ createdAt: minute(1) }, { createdAt: minute(3) }, { eventType: 'exam.graded' }, { endpointId: endpoint.id }, { status: 'held' }] as const) {
        await answered(503, 'http', { ...fields, ...differs });
      }
      await answered(500, 'timeout', fields);
      const query = { status: 'dead', endpoint_id: other, event_type: 'student.created', since: minute(1).toISOString(), until: minute(2).toISOString() };
      expect(await found({ ...query, response_code: '503', error_class: 'http' })).toEqual([wanted]);
      const { data } = await api.platform('GET', `/institutions/${institution.id}/deliveries`, { query: { ...query, response_code: '5xx', error_class: 'http' } });
      expect(idsOf(data)).toEqual([wanted]);
    });
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
    ['half a response code', { response_code: '50' }, 'response_code'],
    ['a class in capitals', { response_code: '5XX' }, 'response_code'],
    ['an unknown error class', { error_class: 'slow' }, 'error_class'],
    ['an until without zone', { until: '2026-11-20T09:30:00' }, 'until'],
    ['an until before since', { until: '2026-11-20T09:30:00Z', since: '2026-11-20T09:31:00Z' }, 'until'],
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
