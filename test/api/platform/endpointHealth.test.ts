import { seedDeadDeliveries, seedDelivery, seedDeliveryAttempt } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { apiFixture, institutionFor } from '../../support/apiFixture';
import { minutesAgo } from '../../support/time';
import { transact } from '../../../domain/transact';

const { api, institution } = apiFixture();
const other = institutionFor(api, 'test');

const failing = { circuit: 'open', circuitOpenedAt: minutesAgo(5), probeAt: minutesAgo(-5), failingSince: minutesAgo(60), consecutiveFailures: 20 } as const;

const listed = async (query: Record<string, string> = {}, headers: Record<string, string> = {}) => api.platform('GET', `/institutions/${institution.id}/endpoint-health`, { query, headers });
const idsOf = async (query: Record<string, string>): Promise<string[]> => (await listed(query)).data.items.map(({ id }: { id: string }) => id);

it('an endpoint has its circuit, the next probe, since when it fails, and its deliveries by status', async () => {
  const id = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { ...failing, description: 'Gradebook' });
  const heldAt = minutesAgo(30);
  const [first, last] = [minutesAgo(-600), minutesAgo(-690)];
  await seedDelivery(api, institution, id, { status: 'held', createdAt: heldAt, deadlineAt: first });
  await seedDelivery(api, institution, id, { status: 'held', createdAt: minutesAgo(10), deadlineAt: last });
  await seedDelivery(api, institution, id, { status: 'retrying', nextAttemptAt: new Date() });
  await seedDelivery(api, institution, id, { status: 'pending' });
  await seedDeadDeliveries(api, institution, id, 2);
  const { status, data } = await api.platform('GET', `/institutions/${institution.id}/webhook-endpoints/${id}/health`);
  expect([status, data]).toEqual([200, expect.objectContaining({
    id, description: 'Gradebook', status: 'active', paused_at: null, failing_since: failing.failingSince.toISOString(), circuit: 'open',
    circuit_opened_at: failing.circuitOpenedAt.toISOString(), next_probe_at: failing.probeAt.toISOString(),
    backlog: { pending: 1, retrying: 1, held: 2, dead: 2, held_since: heldAt.toISOString(), first_held_deadline_at: first.toISOString(), last_held_deadline_at: last.toISOString() },
  })]);
  expect((await listed()).data.items).toEqual([data]);
});

it('an endpoint that fails says when it will be disabled, which is not known while its clock is paused', async () => {
  const id = await seedEndpoint(api, institution, 'https://hooks.north.example/in', failing);
  const disabling = async () => (await api.platform('GET', `/institutions/${institution.id}/webhook-endpoints/${id}/health`)).data;
  const disable_at = new Date(failing.failingSince.getTime() + 72 * 3_600_000).toISOString();
  expect(await disabling()).toMatchObject({ disable_at, attempts_to_disable: { made: 0, needed: 10, within_hours: 24 } });
  await api.call('PATCH', `/webhooks/endpoints/${id}`, { key: institution.apiKey, body: { status: 'paused' } });
  expect(await disabling()).toMatchObject({ disable_at: null, attempts_to_disable: null });
});

it('the attempts of the last 24 hours that count for disabling an endpoint are counted up to those that suffice', async () => {
  const id = await seedEndpoint(api, institution, 'https://hooks.north.example/in', failing);
  const delivery = await seedDelivery(api, institution, id, { createdAt: minutesAgo(2_000) });
  const made = async (): Promise<number> => (await api.platform('GET', `/institutions/${institution.id}/webhook-endpoints/${id}/health`)).data.attempts_to_disable.made;
  for (const [index, minutes] of [25 * 60, 9, 8, 7].entries()) await seedDeliveryAttempt(api, delivery, { number: index + 1, startedAt: minutesAgo(minutes) });
  expect(await made()).toBe(3);
  for (let number = 5; number <= 20; number += 1) await seedDeliveryAttempt(api, delivery, { number, startedAt: minutesAgo(1) });
  expect(await made()).toBe(10);
});

it('an endpoint has its last outage as long as its attempts are stored, also once it works again', async () => {
  const [began, ended, recovered] = [minutesAgo(20), minutesAgo(16), minutesAgo(15)];
  const id = await seedEndpoint(api, institution, 'https://hooks.north.example/in', { lastFailureAt: ended, lastSuccessAt: minutesAgo(1) });
  const lastOutage = async () => (await api.platform('GET', `/institutions/${institution.id}/webhook-endpoints/${id}/health`)).data.last_outage;
  expect(await lastOutage()).toBeNull();
  const delivery = await seedDelivery(api, institution, id, { createdAt: minutesAgo(40) });
  const success = { responseCode: 200, errorClass: null };
  const attempts = [
    { startedAt: minutesAgo(40) }, { startedAt: minutesAgo(30), ...success }, { startedAt: began }, { startedAt: minutesAgo(18), responseCode: null, errorClass: 'connect' }, { startedAt: ended },
  ];
  for (const [index, attempt] of attempts.entries()) await seedDeliveryAttempt(api, delivery, { number: index + 1, ...attempt });
  const outage = { from: began.toISOString(), to: ended.toISOString(), failed_attempts: 3 };
  expect(await lastOutage()).toEqual({ ...outage, recovered_at: null });
  for (const [index, startedAt] of [recovered, minutesAgo(1)].entries()) await seedDeliveryAttempt(api, delivery, { number: index + 6, startedAt, ...success });
  expect(await lastOutage()).toEqual({ ...outage, recovered_at: recovered.toISOString() });
});

it('its deliveries are held since the longest is, which need not be the oldest: that one is held again after each probe', async () => {
  const id = await seedEndpoint(api, institution, 'https://hooks.north.example/in', failing);
  const longest = minutesAgo(20);
  await seedDelivery(api, institution, id, { status: 'held', createdAt: minutesAgo(40), heldAt: minutesAgo(2) });
  await seedDelivery(api, institution, id, { status: 'held', createdAt: longest, heldAt: longest });
  const { data } = await api.platform('GET', `/institutions/${institution.id}/webhook-endpoints/${id}/health`);
  expect(data.backlog).toMatchObject({ held: 2, held_since: longest.toISOString() });
});

it('a disabled endpoint says when it was disabled, as long as the event of it is kept; any other says when it was last', async () => {
  const reason = { status: 'disabled', disabledReason: 'answered 410 Gone' } as const;
  const [known, unknown] = [await seedEndpoint(api, institution, 'https://hooks.north.example/known', reason), await seedEndpoint(api, institution, 'https://hooks.north.example/unknown', reason)];
  await transact(api.api.domain, institution.caller, async (tx) => tx.emit('endpoint.disabled', { endpoint_id: known, reason: 'gone', failing_since: null }));
  const [event] = await api.api.domain.database.sql<{ at: Date }>("SELECT created_at AS at FROM events WHERE institution_id = $1 AND type = 'endpoint.disabled'", [institution.id]);
  const lastDisabledAt = async (id: string): Promise<unknown> => (await api.platform('GET', `/institutions/${institution.id}/webhook-endpoints/${id}/health`)).data.last_disabled_at;
  const disabledAt = async (id: string): Promise<unknown> => (await api.platform('GET', `/institutions/${institution.id}/webhook-endpoints/${id}/health`)).data.disabled_at;
  expect([await disabledAt(known), await disabledAt(unknown)]).toEqual([event?.at.toISOString(), null]);
  await api.call('PATCH', `/webhooks/endpoints/${known}`, { key: institution.apiKey, body: { status: 'active' } });
  expect([await disabledAt(known), await lastDisabledAt(known), await lastDisabledAt(unknown)]).toEqual([null, event?.at.toISOString(), null]);
});

it('endpoints are listed by status, open circuit, and whether they are failing', async () => {
  const open = await seedEndpoint(api, institution, 'https://hooks.north.example/open', failing);
  const unwell = await seedEndpoint(api, institution, 'https://hooks.north.example/failing', { failingSince: minutesAgo(1), consecutiveFailures: 1 });
  const paused = await seedEndpoint(api, institution, 'https://hooks.north.example/paused', { status: 'paused', pausedAt: minutesAgo(1) });
  const deleted = await seedEndpoint(api, institution, 'https://hooks.north.example/deleted', { deletedAt: new Date() });
  expect(await idsOf({})).not.toContain(deleted);
  expect(await Promise.all([idsOf({ circuit: 'open' }), idsOf({ failing: 'true' }), idsOf({ failing: 'false' }), idsOf({ status: 'paused' })])).toEqual([[open], expect.arrayContaining([open, unwell]), [paused], [paused]]);
});

it('the admin of an institution sees its own endpoints, and nobody those of another', async () => {
  const id = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  expect((await listed({}, { 'x-actor': institution.adminId })).data.items).toMatchObject([{ id, backlog: { held: 0 } }]);
  expect((await listed({}, { 'x-actor': other.adminId })).status).toBe(404);
  const { status, body } = await api.platform('GET', `/institutions/${other.id}/webhook-endpoints/${id}/health`);
  expect([status, body.error]).toEqual([404, 'not_found']);
});
