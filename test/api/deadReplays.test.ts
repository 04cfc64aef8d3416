import type { EventType } from '../../domain/events/eventTypes';
import { EndpointEntity } from '../../db/entities/endpoint';
import type { TestInstitution } from '../support/api';
import { apiFixture } from '../support/apiFixture';
import { seedDeadDeliveries } from '../support/seed/deliveries';
import { seedEndpoint, endpointForEachTest } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { deliveriesOf, type StoredDelivery } from '../support/deliveries';

const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);

const long = '2026-01-01T00:00:00Z';
const replayDead = (body: unknown, id = endpoint.id, key = institution.apiKey) => api.call('POST', `/webhooks/endpoints/${id}/replay-dead`, { key, body });

/** The starts of workflows in the outbox under an id. */
const outboxRowsOf = (workflowId: string) =>
  sql('SELECT kind, name, institution_id, argument FROM owed_workflows WHERE workflow_id = $1', [workflowId]);

const outboxNamesOf = ({ id }: TestInstitution) => sql('SELECT name FROM owed_workflows WHERE institution_id = $1', [id]);

describe('replaying the dead deliveries of an endpoint', () => {
  it('returns how many there are and appends one workflow to the outbox, which gets ids and counters', async () => {
    await seedDeadDeliveries(api, institution, endpoint.id, 3);
    const { status, data } = await replayDead({ since: long });
    expect(status).toBe(200);
    expect(data).toEqual({ workflow_id: expect.stringMatching(/^rpl_[0-9a-z]{26}$/), matched: 3 });
    expect(await outboxRowsOf(data.workflow_id)).toEqual([
      {
        kind: 'start',
        name: 'bulkReplay',
        institution_id: institution.id,
        argument: { replayId: data.workflow_id, institutionId: institution.id, endpointId: endpoint.id, sinceMs: Date.parse(long), untilMs: expect.any(Number), matched: 3 },
      },
    ]);
    expect([...(await deliveriesOf(api, endpoint.id)).values()].map(({ status: still }) => still)).toEqual(['dead', 'dead', 'dead']);
  });

  it('of a dry run only counts, also for a disabled endpoint, and keeps no other from starting', async () => {
    await seedDeadDeliveries(api, institution, endpoint.id, 2);
    for (const status of ['disabled', 'active'] as const) {
      await api.api.domain.database.manager.update(EndpointEntity, { id: endpoint.id }, { status });
      expect((await replayDead({ since: long, dry_run: true })).data).toEqual({ workflow_id: null, matched: 2 });
    }
    expect(await outboxNamesOf(institution)).toEqual([]);
    expect((await replayDead({ since: long })).data.matched).toBe(2);
    expect((await replayDead({ since: long, dry_run: true }, 'we_unknown')).status).toBe(404);
  });

  it('counts only those created after since, exclusively', async () => {
    const at = new Date('2026-11-01T10:00:00.000Z');
    await seedDeadDeliveries(api, institution, endpoint.id, 1, { createdAt: at });
    expect((await replayDead({ since: '2026-11-01T10:00:00.000Z' })).data).toEqual({ workflow_id: null, matched: 0 });
    expect((await replayDead({ since: '2026-11-01T10:59:59.999+01:00' })).data.matched).toBe(1);
  });

  describe('narrowed', () => {
    const minute = (n: number) => new Date(Date.UTC(2026, 10, 1, 10, n));
    let seeded = 0;
    const dead = async ({ eventType = 'exam.graded', ...fields }: Partial<StoredDelivery> & { eventType?: EventType }) => {
      const [event = ''] = await seedEvents(api, institution, { createdAt: new Date(Date.now() - 3_600_000 + (seeded += 1)), type: eventType });
      return endpoint.seedDelivery({ status: 'dead', attempts: 1, responseCode: 500, errorClass: 'http', createdAt: minute(0), ...fields, eventId: event, eventType });
    };

    it('until includes its end, and one that has not come is now', async () => {
      for (const n of [1, 2, 3]) await dead({ createdAt: minute(n) });
      expect((await replayDead({ since: minute(3).toISOString(), until: minute(3).toISOString() })).data.matched).toBe(0);
      const { data } = await replayDead({ since: minute(1).toISOString(), until: minute(2).toISOString() });
      expect(data.matched).toBe(1);
      expect(await outboxRowsOf(data.workflow_id)).toMatchObject([{ argument: { sinceMs: minute(1).getTime(), untilMs: minute(2).getTime() } }]);
      await sql('UPDATE webhook_endpoints SET replay_asked_at = NULL WHERE id = $1', [endpoint.id]);
      const later = (await replayDead({ since: minute(0).toISOString(), until: '2099-01-01T00:00:00Z' })).data;
      const [{ argument } = { argument: { untilMs: 0 } }] = await sql<{ argument: { untilMs: number } }>('SELECT argument FROM owed_workflows WHERE workflow_id = $1', [later.workflow_id]);
      expect([later.matched, argument.untilMs <= Date.now()]).toEqual([3, true]);
    });

    it.each([
      ['a type', { event_types: ['exam.graded'] }, 2],
      ['a prefix and a type', { event_types: ['student.*', 'exam.published'] }, 3],
      ['all types', { event_types: ['*'] }, 5],
      ['a code', { response_codes: ['503'] }, 1],
      ['a class', { response_codes: ['5xx'] }, 3],
      ['a class and a code', { response_codes: ['5xx', '404'] }, 4],
      ['types and codes', { event_types: ['exam.*'], response_codes: ['4xx', '500'] }, 2],
    ])('to %s counts those alone', async (_what, body, matched) => {
      await dead({ eventType: 'exam.graded', responseCode: 500 });
      await dead({ eventType: 'exam.graded', responseCode: null, errorClass: 'timeout' });
      await dead({ eventType: 'exam.published', responseCode: 404 });
      await dead({ eventType: 'student.created', responseCode: 503 });
      await dead({ eventType: 'student.updated', responseCode: 500 });
      expect((await replayDead({ since: long, ...body })).data.matched).toBe(matched);
    });

    it('hands the workflow exact types and the codes', async () => {
      await dead({ eventType: 'faculty.created' });
      const { data } = await replayDead({ since: long, event_types: ['faculty.*'], response_codes: ['5xx'] });
      expect(await outboxRowsOf(data.workflow_id)).toMatchObject([{ argument: { eventTypes: ['faculty.created', 'faculty.profile_completed'], responseCodes: ['5xx'] } }]);
    });

    it.each([
      ['an unknown type', { event_types: ['exam.eaten'] }, 'event_types.0'],
      ['no type', { event_types: [] }, 'event_types'],
      ['half a code', { response_codes: ['50'] }, 'response_codes.0'],
      ['a number as code', { response_codes: [500] }, 'response_codes.0'],
      ['an until without zone', { until: '2026-01-01T00:00:00' }, 'until'],
      ['an until before since', { since: '2026-01-01T00:00:01Z', until: '2026-01-01T00:00:00Z' }, 'until'],
    ])('refuses %s', async (_what, body, path) => {
      const answer = await replayDead({ since: long, ...body });
      expect([answer.status, answer.body.error, answer.body.issues?.[0]?.path]).toEqual([422, 'validation_error', path]);
    });
  });

  it('counts neither other endpoints, nor other statuses, nor those whose event was pruned', async () => {
    const other = await seedEndpoint(api, institution, 'https://hooks.example.org/other');
    await seedDeadDeliveries(api, institution, other, 1);
    for (const status of ['pending', 'retrying', 'held', 'delivered', 'cancelled'] as const) await seedDeadDeliveries(api, institution, endpoint.id, 1, { status });
    const [pruned = ''] = await seedDeadDeliveries(api, institution, endpoint.id, 1);
    await sql('DELETE FROM events WHERE id = (SELECT event_id FROM deliveries WHERE id = $1)', [pruned]);
    expect((await replayDead({ since: long })).data).toEqual({ workflow_id: null, matched: 0 });
  });

  it('of nothing starts nothing', async () => {
    expect((await replayDead({ since: long })).data).toEqual({ workflow_id: null, matched: 0 });
    expect(await outboxNamesOf(institution)).toEqual([]);
  });

  it.each([
    ['paused', { status: 'paused' as const, pausedAt: new Date() }],
    ['disabled', { status: 'disabled' as const }],
  ])('is endpoint_inactive while the endpoint is %s', async (_what, fields) => {
    await seedDeadDeliveries(api, institution, endpoint.id, 1);
    await api.api.domain.database.manager.update(EndpointEntity, { id: endpoint.id }, fields);
    const { status, body } = await replayDead({ since: long });
    expect([status, body.error]).toEqual([409, 'endpoint_inactive']);
    expect(await outboxNamesOf(institution)).toEqual([]);
  });

  it('of a deleted, foreign or unknown endpoint is not_found', async () => {
    const otherInstitution = await api.institution();
    await api.api.domain.database.manager.update(EndpointEntity, { id: endpoint.id }, { deletedAt: new Date() });
    const foreign = await seedEndpoint(api, otherInstitution, 'https://hooks.example.org/in');
    for (const id of [endpoint.id, foreign, 'we_none']) {
      const { status, body } = await replayDead({ since: long }, id);
      expect([status, body.error]).toEqual([404, 'not_found']);
    }
  });

  it.each([
    ['nothing', {}],
    ['a moment without a zone', { since: '2026-01-01T00:00:00' }],
    ['null', { since: null }],
    ['a day', { since: '2026-01-01' }],
  ])('refuses %s as since', async (_what, body) => {
    const answer = await replayDead(body);
    expect([answer.status, answer.body.error, answer.body.issues?.[0]?.path]).toEqual([422, 'validation_error', 'since']);
  });

  it('wants the scope webhooks:write', async () => {
    const { status, body } = await replayDead({ since: long }, endpoint.id, await api.keyFor(institution, ['webhooks:read']));
    expect([status, body.missing]).toEqual([403, ['webhooks:write']]);
  });
});
