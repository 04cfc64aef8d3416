import { createStudentsInBulk, circuitOf, countDeliveriesByState } from '../support/circuits';
import { changeDeliveries, deliveriesOf } from '../support/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import type { Received } from '../support/receiver';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution, sql } = fixture;

const circuit = (id: string) => circuitOf(api.api.domain.database.sql, id);
const waiters = (id: string) => countDeliveriesByState(api.api.domain.database.sql, id);
const patch = (id: string, status: string) => api.call('PATCH', `/webhooks/endpoints/${id}`, { key: institution.apiKey, body: { status } });
const settled = (id: string, states: Record<string, number>, withinMs = 60_000) =>
  eventually(JSON.stringify(states), async () => JSON.stringify(await waiters(id)) === JSON.stringify(states), withinMs);

/** How many workflows about an endpoint were started. */
async function workflowsOf(endpointId: string): Promise<number> {
  const { client } = fixture.temporal;
  await eventually('nothing owed', async () => (await sql('SELECT 1 FROM owed_workflows LIMIT 1', [])).length === 0);
  const { count } = await client.workflow.count(`EndpointId = "${endpointId}"`);
  return count;
}

/** What the receiver got of this endpoint alone: those of the tests before are still there, and probed. */
async function receivedOf(endpointId: string): Promise<Received[]> {
  const own = await deliveriesOf(api, endpointId);
  return fixture.receiver.received.filter(({ headers }) => own.has(String(headers['x-svc-delivery-id'])));
}

/** The sentence that the Web UI shows of a running workflow. */
async function detailsOf(workflowId: string): Promise<string> {
  const metadata = await fixture.temporal.client.workflow.getHandle(workflowId).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

it('20 failures in a row open the circuit: what follows is held and not attempted, and one workflow waits for all of it', async () => {
  fixture.receiver.respond = () => 500;
  const id = await seedEndpoint(api, institution, fixture.receiver.url);
  await createStudentsInBulk(api, institution, 200);
  await eventually('all held', async () => {
    const { held = 0, pending = 0 } = await waiters(id);
    return pending === 0 && held > 300;
  });
  expect(await circuit(id)).toMatchObject({ circuit: 'open', status: 'active', backlog_open: true, backlog_run: 1 });
  const attempted = (await receivedOf(id)).length;
  expect(attempted).toBeLessThan(100);
  expect(await workflowsOf(id)).toBeLessThanOrEqual(51);
  await eventually('a sentence', async () =>
    /held: the circuit is open since .* The oldest is tried again at .* The last attempt ended with: 500\./.test(await detailsOf(`${id}:1`).catch(() => '')),
  );
  await createStudentsInBulk(api, institution, 100);
  await eventually('the new ones held', async () => ((await waiters(id)).held ?? 0) > 500);
  expect((await receivedOf(id)).length).toBeLessThan(attempted + 4);
});

it('a probe that succeeds closes the circuit, and what was held goes out oldest first, at once', async () => {
  fixture.receiver.respond = () => 503;
  const id = await seedEndpoint(api, institution, fixture.receiver.url);
  await createStudentsInBulk(api, institution, 150);
  // Those that failed at first wait with workflows of their own, and are held when they are due: from then on the oldest of all is the next probe.
  await eventually('open, and all held', async () => (await circuit(id)).circuit === 'open' && (await waiters(id)).held === 300);
  fixture.receiver.received.length = 0;
  fixture.receiver.respond = () => 200;
  await settled(id, { delivered: 300 });
  expect(await circuit(id)).toMatchObject({ circuit: 'closed', consecutive_failures: 0, failing_since: null, probe_at: null });
  const arrived = await receivedOf(id);
  const [probe] = arrived;
  const [oldest] = await sql<{ id: string }>('SELECT id FROM deliveries WHERE endpoint_id = $1 AND attempts > 0 ORDER BY event_created_at LIMIT 1', [id]);
  expect(probe?.headers['x-svc-delivery-id']).toBe(oldest?.id);
  const times = arrived.map(({ at }) => at);
  expect(Math.max(...times) - Math.min(...times)).toBeLessThan(30_000);
  await eventually('the backlog has ended', async () => !(await circuit(id)).backlog_open);
  await expect(fixture.temporal.client.workflow.getHandle(`${id}:1`).result()).resolves.toEqual({ outcome: 'drained', givenUp: 0 });
});

it('at most 50 deliveries of an endpoint have a workflow of their own; the backlog retries the others', async () => {
  const failed = new Set<string>();
  fixture.receiver.respond = ({ headers }, nth) => {
    const event = String(headers['webhook-id']);
    if (failed.has(event) || nth % 2 === 0) return 200;
    failed.add(event);
    return 500;
  };
  const id = await seedEndpoint(api, institution, fixture.receiver.url);
  await createStudentsInBulk(api, institution, 150);
  let most = 0;
  const before = await eventually('each attempted', async () => {
    const states = await waiters(id);
    most = Math.max(most, states['retrying by workflow'] ?? 0);
    return states.pending === undefined && Object.values(states).reduce((sum, count) => sum + count, 0) === 300 && states;
  });
  expect(most).toBeLessThanOrEqual(50);
  expect(before['retrying by backlog']).toBeGreaterThan(50);
  expect((await circuit(id)).circuit).toBe('closed');
  await settled(id, { delivered: 300 });
});

it('with nothing held the next event is the probe', async () => {
  const id = await seedEndpoint(api, institution, fixture.receiver.url, { circuit: 'open', circuitOpenedAt: new Date(Date.now() - 3_600_000), probeAt: new Date(Date.now() - 1_000), failingSince: new Date(), consecutiveFailures: 20, events: ['student.created'] });
  await createStudentsInBulk(api, institution, 1);
  await settled(id, { delivered: 1 });
  await eventually('closed', async () => (await circuit(id)).circuit === 'closed');
});

it('an answer 410 disables the endpoint, its open deliveries are dead, and the admin is written to', async () => {
  fixture.receiver.respond = (_received, nth) => (nth > 3 ? 410 : 500);
  const id = await seedEndpoint(api, institution, fixture.receiver.url);
  await createStudentsInBulk(api, institution, 20);
  await settled(id, { dead: 40 });
  const { data } = await api.call('GET', `/webhooks/endpoints/${id}`, { key: institution.apiKey });
  expect(data).toMatchObject({ status: 'disabled', disabled_reason: 'The receiver responded with 410 Gone.' });
  const email = await api.stack.mail.waitFor(({ text }) => text?.includes(id) === true);
  expect(email.to?.map(({ address }) => address)).toEqual([`admin@${institution.loginDomain}`]);
  expect(email.text).toContain('410 Gone');
  await eventually('one notice, sent', async () => {
    const { count } = await fixture.temporal.client.workflow.count(`EndpointId = "${id}" AND WorkflowType = "endpointDisabledNotice" AND Outcome = "sent"`);
    return count === 1;
  });

  fixture.receiver.respond = () => 200;
  expect((await patch(id, 'active')).data).toMatchObject({ status: 'active', disabled_reason: null, consecutive_failures: 0 });
  await createStudentsInBulk(api, institution, 1);
  await settled(id, { dead: 40, delivered: 2 });
});

it('retryNow posts a held delivery once while the endpoint is paused, and it stays held when that fails', async () => {
  const id = await seedEndpoint(api, institution, fixture.receiver.url, { events: ['student.created'] });
  await patch(id, 'paused');
  await createStudentsInBulk(api, institution, 2);
  await settled(id, { held: 2 });
  const [first, second] = [...(await deliveriesOf(api, id)).values()];
  const retryNow = (deliveryId = '') => api.platform('POST', `/institutions/${institution.id}/deliveries/${deliveryId}/retry-now`);
  fixture.receiver.respond = () => 500;
  expect((await retryNow(first?.id)).status).toBe(200);
  await eventually('one attempt', async () => (await deliveriesOf(api, id)).get(first?.id ?? '')?.attempts === 1);
  expect((await deliveriesOf(api, id)).get(first?.id ?? '')?.status).toBe('held');
  fixture.receiver.respond = () => 200;
  expect((await retryNow(second?.id)).status).toBe(200);
  await settled(id, { delivered: 1, held: 1 });
  expect(await receivedOf(id)).toHaveLength(2);
  await patch(id, 'active');
  await settled(id, { delivered: 2 });
});

it('pausing holds what waits for the sender, and the backlog says that it waits for the resume', async () => {
  const id = await seedEndpoint(api, institution, fixture.receiver.url, { events: ['student.created'] });
  await patch(id, 'paused');
  await createStudentsInBulk(api, institution, 3);
  await settled(id, { held: 3 });
  await eventually('a sentence', async () => /^Every delivery to .* is held: the endpoint is paused/.test(await detailsOf(`${id}:1`).catch(() => '')));
  await patch(id, 'active');
  await settled(id, { delivered: 3 });
});

it('deleting an endpoint cancels what its backlog waits for, and the backlog ends', async () => {
  fixture.receiver.respond = () => 500;
  const id = await seedEndpoint(api, institution, fixture.receiver.url);
  await createStudentsInBulk(api, institution, 100);
  const { probe_at: probeAt } = await eventually('open', async () => {
    const now = await circuit(id);
    return now.circuit === 'open' && now;
  });
  expect((await api.call('DELETE', `/webhooks/endpoints/${id}`, { key: institution.apiKey })).status).toBe(200);
  await settled(id, { cancelled: 200 });
  await eventually('ended', async () => !(await circuit(id)).backlog_open);
  const attempts = (await receivedOf(id)).length;
  // The probe that was planned does not come.
  const planned = (probeAt?.getTime() ?? NaN) + 500;
  expect(planned - Date.now()).toBeLessThan(6_000);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, planned - Date.now())));
  expect((await receivedOf(id)).length).toBe(attempts);
});

it('a replay to an endpoint whose circuit is open is held until a probe succeeds', async () => {
  const id = await seedEndpoint(api, institution, fixture.receiver.url, { events: ['student.created'] });
  await createStudentsInBulk(api, institution, 1);
  await settled(id, { delivered: 1 });
  const probeAt = new Date(Date.now() + 2_000);
  await sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = $2, probe_at = $2 WHERE id = $1", [id, probeAt]);
  const [delivery] = (await deliveriesOf(api, id)).keys();
  const { data } = await api.call('POST', `/webhooks/deliveries/${delivery ?? ''}/replay`, { key: institution.apiKey, body: {} });
  expect(data).toMatchObject({ status: 'held', applied: true });
  await settled(id, { delivered: 1 });
  expect((await receivedOf(id)).at(-1)?.at).toBeGreaterThanOrEqual(probeAt.getTime());
  await eventually('closed', async () => (await circuit(id)).circuit === 'closed');
});

describe('a held delivery of an open circuit is tried at once, before its probe is due,', () => {
  const post = (path: string, body: object = {}) => api.call('POST', path, { key: institution.apiKey, body });
  const cases: [string, (id: string) => Promise<{ status: number }>][] = [
    // A receiver that is slow because the machine is busy does not accept the first one.
    ['when a test of its endpoint was accepted', (id) => eventually('accepted', async () => {
      const answer = await post(`/webhooks/endpoints/${id}/test`);
      return answer.data.delivered && answer;
    })],
    ['when its endpoint is set active, which it is', (id) => patch(id, 'active')],
    ['when the dead of its endpoint are replayed', async (id) => {
      await changeDeliveries(sql, "SET status = 'dead' WHERE id IN (SELECT id FROM open_deliveries WHERE endpoint_id = $1 LIMIT 1)", [id]);
      return post(`/webhooks/endpoints/${id}/replay-dead`, { since: '2026-01-01T00:00:00Z' });
    }],
    ['when events are recovered for its endpoint', async (id) => {
      await sql('DELETE FROM open_deliveries WHERE id IN (SELECT id FROM open_deliveries WHERE endpoint_id = $1 LIMIT 1)', [id]);
      return post(`/webhooks/endpoints/${id}/recover`, { since: '2026-01-01T00:00:00Z' });
    }],
  ];
  it.each(cases)('%s', async (_when, act) => {
    fixture.receiver.respond = () => 200;
    const probeAt = new Date(Date.now() + 3_600_000);
    const id = await seedEndpoint(api, institution, fixture.receiver.url, { circuit: 'open', circuitOpenedAt: new Date(), probeAt, failingSince: new Date(), consecutiveFailures: 20, events: ['student.created'] });
    await createStudentsInBulk(api, institution, 3);
    await settled(id, { held: 3 });
    await eventually('the backlog waits', async () => (await circuit(id)).backlog_open);
    expect((await act(id)).status).toBe(200);
    await eventually('closed', async () => (await circuit(id)).circuit === 'closed');
    await eventually('all delivered', async () => (await waiters(id)).delivered === 3);
  });

  it('but not when the test failed', async () => {
    fixture.receiver.respond = () => 500;
    const probeAt = new Date(Date.now() + 3_600_000);
    const id = await seedEndpoint(api, institution, fixture.receiver.url, { circuit: 'open', circuitOpenedAt: new Date(), probeAt, failingSince: new Date(), consecutiveFailures: 20, events: ['student.created'] });
    expect((await post(`/webhooks/endpoints/${id}/test`)).status).toBe(200);
    expect((await circuit(id)).probe_at).toEqual(probeAt);
  });
});

it('retryNow posts a delivery whose own workflow waits once while the endpoint is paused, and it is held when that fails', async () => {
  // The workflow waits so long that only a signal makes it look.
  fixture.receiver.respond = () => ({ status: 503, headers: { 'retry-after': '3600' } });
  const id = await seedEndpoint(api, institution, fixture.receiver.url, { events: ['student.created'] });
  await createStudentsInBulk(api, institution, 1);
  await settled(id, { 'retrying by workflow': 1 });
  await patch(id, 'paused');
  const [delivery] = (await deliveriesOf(api, id)).keys();
  const retryNow = () => api.platform('POST', `/institutions/${institution.id}/deliveries/${delivery ?? ''}/retry-now`);
  expect((await retryNow()).data.status).toBe('held');
  await eventually('its own workflow to say who has it', async () => (await detailsOf(delivery ?? '').catch(() => '')).includes('waits with the other deliveries'));
  await eventually('posted once', async () => (await deliveriesOf(api, id)).get(delivery ?? '')?.attempts === 2);
  await settled(id, { held: 1 });
  fixture.receiver.respond = () => 200;
  expect((await retryNow()).status).toBe(200);
  await settled(id, { delivered: 1 });
});

it('an attempt that was in flight when its delivery was ended is on record, and the attempts of a replay count on from it', async () => {
  const id = await seedEndpoint(api, institution, fixture.receiver.url, { events: ['student.created'] });
  let answer: (status: number) => void = () => undefined;
  fixture.receiver.respond = () => new Promise<number>((resolve) => (answer = resolve));
  await createStudentsInBulk(api, institution, 1);
  await eventually('in flight', async () => (await receivedOf(id)).length === 1);
  const [delivery] = (await deliveriesOf(api, id)).keys();
  await api.platform('POST', `/institutions/${institution.id}/deliveries/${delivery ?? ''}/cancel`);
  answer(500);
  const read = () => api.call('GET', `/webhooks/deliveries/${delivery ?? ''}`, { key: institution.apiKey });
  await eventually('on record', async () => (await read()).data.attempt_log.length === 1);
  fixture.receiver.respond = () => 200;
  await api.call('POST', `/webhooks/deliveries/${delivery ?? ''}/replay`, { key: institution.apiKey, body: {} });
  await settled(id, { delivered: 1 });
  const { data } = await read();
  expect(data.attempts).toBe(2);
  expect(data.attempt_log.map(({ number, response_code }: { number: number; response_code: number }) => [number, response_code])).toEqual([[1, 500], [2, 200]]);
});
