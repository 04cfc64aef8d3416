import type { EventType } from '../../domain/events/eventTypes';
import { EndpointEntity } from '../../db/entities/endpoint';
import type { TestInstitution } from '../support/api';
import { apiFixture } from '../support/apiFixture';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint, endpointForEachTest } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';

const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);

const yesterday = new Date(Date.now() - 86_400_000);
const at = (ms: number) => new Date(yesterday.getTime() + ms);
const long = { since: '2026-01-01T00:00:00Z' };
const nothing = { workflow_id: null, matched: 0 };

const recover = (body: unknown, id = endpoint.id, key = institution.apiKey) => api.call('POST', `/webhooks/endpoints/${id}/recover`, { key, body });
const missEvents = (type: EventType = 'student.updated', count = 1, createdAt = yesterday) => seedEvents(api, institution, { createdAt, type, count });
const update = (fields: Partial<EndpointEntity>) => api.api.domain.database.manager.update(EndpointEntity, { id: endpoint.id }, fields);
const outboxNamesOf = ({ id }: TestInstitution) => sql('SELECT name FROM owed_workflows WHERE institution_id = $1', [id]);

// Of the institution itself: its admin's license.
beforeEach(() => sql('DELETE FROM events WHERE institution_id = $1', [institution.id]));

describe('recovering what an endpoint missed', () => {
  it('returns how many events match and appends one workflow to the outbox, which writes their deliveries', async () => {
    await missEvents('student.updated', 3);
    const { status, data } = await recover(long);
    expect([status, data]).toEqual([200, { workflow_id: expect.stringMatching(/^rcv_[0-9a-z]{26}$/), matched: 3 }]);
    expect(await sql('SELECT kind, name, institution_id, argument FROM owed_workflows WHERE workflow_id = $1', [data.workflow_id])).toEqual([
      {
        kind: 'start',
        name: 'endpointRecovery',
        institution_id: institution.id,
        argument: { recoveryId: data.workflow_id, institutionId: institution.id, endpointId: endpoint.id, sinceMs: Date.parse(long.since), untilMs: expect.any(Number), matched: 3 },
      },
    ]);
    expect(await sql('SELECT id FROM deliveries WHERE endpoint_id = $1', [endpoint.id])).toEqual([]);
  });

  it('of a dry run only counts, also for a paused or disabled endpoint, and keeps no other from starting', async () => {
    await missEvents('student.updated', 3);
    for (const fields of [{ status: 'paused' }, { status: 'disabled' }, { status: 'active' }] as const) {
      await update(fields);
      expect((await recover({ ...long, dry_run: true })).data).toEqual({ workflow_id: null, matched: 3 });
    }
    expect(await outboxNamesOf(institution)).toEqual([]);
    expect((await recover({ ...long, dry_run: false })).data.matched).toBe(3);
    expect((await recover({ ...long, dry_run: true }, 'we_unknown')).status).toBe(404);
  });

  it('counts events after since, and up to until', async () => {
    await missEvents('student.updated', 4);
    expect((await recover({ since: at(3).toISOString() })).data).toEqual(nothing);
    expect((await recover({ ...long, until: at(-1).toISOString() })).data).toEqual(nothing);
    expect((await recover({ since: at(0).toISOString(), until: at(2).toISOString() })).data.matched).toBe(2);
  });

  it('counts no event of a time that has not come', async () => {
    await missEvents();
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const { data } = await recover({ ...long, until });
    const [{ argument } = { argument: { untilMs: 0 } }] = await sql<{ argument: { untilMs: number } }>('SELECT argument FROM owed_workflows WHERE workflow_id = $1', [data.workflow_id]);
    expect(argument.untilMs).toBeLessThanOrEqual(Date.now());
  });

  it('takes every event that happened before it, also those of many at once, whose times are ahead of the clock', async () => {
    await update({ status: 'disabled' });
    await api.call('POST', '/students', { key: institution.apiKey, body: {} });
    // As after an import: 60,000 events within a moment.
    await sql('UPDATE event_clocks SET last_ms = last_ms + 60000 WHERE institution_id = $1', [institution.id]);
    await api.call('POST', '/students', { key: institution.apiKey, body: {} });
    await update({ status: 'active', events: ['student.created'] });
    const { data } = await recover(long);
    expect(data.matched).toBe(2);
    const [{ argument } = { argument: { untilMs: 0 } }] = await sql<{ argument: { untilMs: number } }>('SELECT argument FROM owed_workflows WHERE workflow_id = $1', [data.workflow_id]);
    const [newest] = await sql<{ at: Date }>('SELECT max(created_at) AS at FROM events WHERE institution_id = $1', [institution.id]);
    expect(argument.untilMs).toBe(newest?.at.getTime());
  });

  it('counts what the endpoint subscribes to now, narrowed to event_types', async () => {
    await missEvents('student.updated', 2);
    await missEvents('license.expired', 1, at(10));
    await missEvents('exam.graded', 4, at(20));
    expect((await recover({ ...long, event_types: ['exam.*'] })).data).toEqual(nothing);
    await update({ events: ['exam.graded', 'student.*'] });
    expect((await recover({ ...long, event_types: ['license.expired'] })).data).toEqual(nothing);
    expect((await recover({ ...long, event_types: ['student.*', 'license.*'] })).data.matched).toBe(2);
  });

  it('counts no event that has a delivery to the endpoint in any status; that to another endpoint does not count', async () => {
    const [dead = '', delivered = '', cancelled = '', elsewhere = ''] = await missEvents('student.updated', 4);
    for (const [status, eventId] of [['dead', dead], ['delivered', delivered], ['cancelled', cancelled]] as const) await endpoint.seedDelivery({ status, eventId });
    await seedDelivery(api, institution, await seedEndpoint(api, institution, 'https://hooks.example.org/other'), { eventId: elsewhere });
    expect((await recover(long)).data.matched).toBe(1);
  });

  it('counts no event of another institution', async () => {
    await seedEvents(api, await api.institution(), { createdAt: yesterday, type: 'student.updated' });
    expect((await recover(long)).data).toEqual(nothing);
  });

  it('of nothing starts nothing', async () => {
    expect((await recover(long)).data).toEqual(nothing);
    expect(await outboxNamesOf(institution)).toEqual([]);
  });

  it('twice within a minute is a conflict; replay-dead is asked for apart', async () => {
    await missEvents();
    expect((await recover(long)).status).toBe(200);
    const { status, body } = await recover(long);
    expect([status, body.error]).toEqual([409, 'conflict']);
    const [eventId = ''] = await missEvents('student.updated', 1, at(50));
    await endpoint.seedDelivery({ status: 'dead', eventId });
    expect((await api.call('POST', `/webhooks/endpoints/${endpoint.id}/replay-dead`, { key: institution.apiKey, body: long })).data.matched).toBe(1);
    await sql("UPDATE webhook_endpoints SET recovery_asked_at = recovery_asked_at - interval '1 minute' WHERE id = $1", [endpoint.id]);
    expect((await recover(long)).status).toBe(200);
  });

  it.each([
    ['paused', { status: 'paused' as const, pausedAt: new Date() }],
    ['disabled', { status: 'disabled' as const }],
  ])('is endpoint_inactive while the endpoint is %s', async (_what, fields) => {
    await missEvents();
    await update(fields);
    const { status, body } = await recover(long);
    expect([status, body.error]).toEqual([409, 'endpoint_inactive']);
    expect(await outboxNamesOf(institution)).toEqual([]);
  });

  it('of a deleted, foreign or unknown endpoint is not_found', async () => {
    const foreign = await seedEndpoint(api, await api.institution(), 'https://hooks.example.org/in');
    await update({ deletedAt: new Date() });
    for (const id of [endpoint.id, foreign, 'we_none']) {
      const { status, body } = await recover(long, id);
      expect([status, body.error]).toEqual([404, 'not_found']);
    }
  });

  it.each([
    ['no since', {}, 'since'],
    ['an until without a zone', { ...long, until: '2026-01-01T00:00:00' }, 'until'],
    ['an until before since', { since: '2026-01-01T00:00:01Z', until: '2026-01-01T00:00:00Z' }, 'until'],
    ['an unknown event type', { ...long, event_types: ['exam.eaten'] }, 'event_types.0'],
    ['no event type', { ...long, event_types: [] }, 'event_types'],
  ])('refuses %s', async (_what, body, path) => {
    const answer = await recover(body);
    expect([answer.status, answer.body.error, answer.body.issues?.[0]?.path]).toEqual([422, 'validation_error', path]);
  });

  it('wants the scope webhooks:write', async () => {
    const { status, body } = await recover(long, endpoint.id, await api.keyFor(institution, ['webhooks:read']));
    expect([status, body.missing]).toEqual([403, ['webhooks:write']]);
  });

  it('is an operation of the platform API, too', async () => {
    await missEvents('student.updated', 2);
    const { status, data } = await api.platform('POST', `/institutions/${institution.id}/webhook-endpoints/${endpoint.id}/recover`, { body: long });
    expect([status, data.matched]).toEqual([200, 2]);
  });
});
