import type { WorkflowHandle } from '@temporalio/client';
import { defaultDataConverter } from '@temporalio/common';
import { AttemptConcurrency } from '../../activities/webhooks/attemptConcurrency';
import { createBacklogActivities } from '../../activities/webhooks/backlog';
import type { EndpointEntity } from '../../db/entities/endpoint';
import { backlogWorkflowId } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import { deleteEndpoint } from '../../domain/webhooks/deleteEndpoint';
import { updateEndpoint } from '../../domain/webhooks/updateEndpoint';
import { exchangeTimeoutMs } from '../../outbound/webhooks/webhookClient';
import { attempt, look } from '../../workflows/contract';
import { circuitOf, countDeliveriesByState } from '../support/circuits';
import { deliveriesOf, type StoredDelivery } from '../support/deliveries';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { recordHistory } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const taskQueue = 'backlogs';
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const fixture = workflowFixture({ time: 'skipping', taskQueue, activities: (deps) => createBacklogActivities({ ...deps, attemptConcurrency: new AttemptConcurrency() }) });
const { api, institution, sql, now } = fixture;

beforeEach(() => {
  fixture.receiver.respond = () => 500;
});

const after = (time: Date, ms: number) => new Date(time.getTime() + ms);

/** An endpoint whose circuit has just opened, with its backlog under way on paper. */
async function openCircuit(fields: Partial<EndpointEntity> = {}): Promise<{ id: string; openedAt: Date }> {
  const openedAt = await now();
  const id = await seedEndpoint(api, institution, fixture.receiver.url, {
    circuit: 'open',
    circuitOpenedAt: openedAt,
    probeAt: after(openedAt, 5 * second),
    failingSince: openedAt,
    consecutiveFailures: 20,
    ...fields,
  });
  await sql('UPDATE webhook_endpoints SET backlog_open = true, backlog_run = 1, backlog_opened_at = $2 WHERE id = $1', [id, openedAt]);
  return { id, openedAt };
}

/** A delivery of a real event that has been held since `createdAt`, never attempted. */
async function heldDelivery(endpointId: string, createdAt: Date, fields: Partial<StoredDelivery> = {}): Promise<string> {
  await transact(api.api.domain, institution.caller, async (tx) => tx.emit('ping', { endpoint_id: endpointId }));
  const [event] = await sql<{ id: string }>("SELECT id FROM events WHERE institution_id = $1 AND type = 'ping' ORDER BY created_at DESC LIMIT 1", [institution.id]);
  return seedDelivery(api, institution, endpointId, { status: 'held', eventId: event?.id ?? '', createdAt, heldAt: createdAt, deadlineAt: after(createdAt, 12 * hour), ...fields });
}

const start = (endpointId: string) =>
  fixture.environment.client.workflow.start<(argument: object) => Promise<object>>('endpointBacklog', {
    taskQueue,
    workflowId: backlogWorkflowId(endpointId, 1),
    args: [{ endpointId, institutionId: institution.id, run: 1 }],
  });

/** What the Web UI shows as the current details. */
const currentDetails = async (handle: WorkflowHandle): Promise<string> => (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;

const row = async (endpointId: string, id: string) => (await deliveriesOf(api, endpointId)).get(id);
const probeTimes = (endpointId: string) => sql<{ started_at: Date }>('SELECT started_at FROM webhook_attempts WHERE endpoint_id = $1 ORDER BY started_at', [endpointId]);

/** What is watched of a circuit: how long it has been open as its backlog begins, for how long, and how often it is to be probed until when. */
const watched: readonly { openFor: number; watch: number; phases: readonly { until: number; every: number }[] }[] = [
  { openFor: 0, watch: 2 * minute, phases: [{ until: 2 * minute, every: 5 * second }] },
  { openFor: 8.5 * minute, watch: 8 * minute, phases: [{ until: 10 * minute, every: 5 * second }, { until: 16 * minute, every: 30 * second }] },
  { openFor: 65 * minute, watch: 60 * minute, phases: [{ until: 70 * minute, every: 30 * second }, { until: 2 * hour, every: 5 * minute }] },
];

it('probes an open circuit every 5 s for 10 min, every 30 s for 1 h, then every 5 min, with the oldest delivery; what is held is dead after 12 h', async () => {
  for (const { openFor, watch, phases } of watched) {
    const begun = await now();
    const openedAt = after(begun, -openFor);
    const { id } = await openCircuit({ circuitOpenedAt: openedAt, failingSince: openedAt });
    await heldDelivery(id, begun);
    const handle = await start(id);
    await fixture.environment.sleep(watch);
    fixture.receiver.respond = () => 200;
    await handle.result();
    fixture.receiver.respond = () => 500;
    const times = (await probeTimes(id)).map(({ started_at }) => started_at.getTime() - openedAt.getTime());
    const gaps = times.slice(1).map((time, index) => ({ since: times[index] ?? 0, gap: time - (times[index] ?? 0) }));
    for (const [nth, { until, every }] of phases.entries()) {
      // A gap that begins right before a phase ends may be of either.
      const from = (phases[nth - 1]?.until ?? 0) + 2 * second;
      const found = gaps.filter(({ since }) => since >= from && since < until - 2 * second).map(({ gap }) => gap);
      expect(found.length).toBeGreaterThanOrEqual(8);
      for (const gap of found) {
        expect(gap).toBeGreaterThanOrEqual(every - second);
        expect(gap).toBeLessThanOrEqual(every + 3 * second);
      }
    }
  }

  const openedAt = after(await now(), -11.5 * hour);
  const { id } = await openCircuit({ circuitOpenedAt: openedAt, failingSince: openedAt });
  // Both were attempted before: the 12 hours count from then on.
  const oldest = await heldDelivery(id, openedAt, { attempts: 1, firstAttemptAt: openedAt });
  const younger = await heldDelivery(id, after(openedAt, second), { attempts: 1, firstAttemptAt: after(openedAt, hour), deadlineAt: after(openedAt, 13 * hour) });
  const handle = await start(id);
  expect(await handle.result()).toEqual({ outcome: 'drained', givenUp: 2 });
  expect(await currentDetails(handle)).toBe(`Nothing is waiting for \`${id}\`; **2 deliveries were given up** meanwhile.`);
  const states = [await row(id, oldest), await row(id, younger)];
  expect(states.map((delivery) => delivery?.status)).toEqual(['dead', 'dead']);
  expect((await circuitOf(api.api.domain.database.sql, id)).backlog_open).toBe(false);
  // The oldest dies at its last probe before its deadline; only then is the younger one the probe.
  const [firstOfYounger] = await sql<{ started_at: Date }>('SELECT min(started_at) AS started_at FROM webhook_attempts WHERE delivery_id = $1', [younger]);
  expect(firstOfYounger?.started_at.getTime()).toBeGreaterThan(openedAt.getTime() + 11.9 * hour);
});

it('disables an endpoint after 72 hours without one success: its deliveries are dead, its result and details say how many were given up, and the notice is in the outbox', async () => {
  // It has failed for 70 hours, and events went on to happen: there is always one that is held.
  const failingSince = after(await now(), -70 * hour);
  const { id } = await openCircuit({ circuitOpenedAt: failingSince, failingSince });
  const held: string[] = [];
  for (const hours of [59, 65, 71]) {
    const eventCreatedAt = after(failingSince, hours * hour);
    held.push(await heldDelivery(id, failingSince, { eventCreatedAt, attempts: 1, firstAttemptAt: eventCreatedAt, deadlineAt: after(eventCreatedAt, 12 * hour) }));
  }
  const handle = await start(id);
  await fixture.environment.sleep(1.75 * hour);
  expect(await circuitOf(api.api.domain.database.sql, id)).toMatchObject({ status: 'active', circuit: 'open' });
  expect(await countDeliveriesByState(api.api.domain.database.sql, id)).toEqual({ dead: 1, held: 2 });
  expect(await handle.result()).toEqual({ outcome: 'disabled', givenUp: 2 });
  expect(await currentDetails(handle)).toBe(`Nothing is waiting for \`${id}\`: the endpoint was disabled, and **2 deliveries were given up**.`);
  expect(await circuitOf(api.api.domain.database.sql, id)).toMatchObject({ status: 'disabled', disabled_reason: 'No attempt has succeeded for 72 hours.', circuit: 'closed' });
  expect((await now()).getTime()).toBeGreaterThanOrEqual(failingSince.getTime() + 72 * hour);
  expect(await countDeliveriesByState(api.api.domain.database.sql, id)).toEqual({ dead: held.length });
  const notices = await sql<{ name: string }>("SELECT name FROM owed_workflows WHERE name = 'endpointDisabledNotice' AND workflow_id LIKE $1", [`${id}:disabled:%`]);
  expect(notices).toHaveLength(1);
});

it('does not count pauses towards the 72 hours, nor disables for want of 10 attempts in the last day', async () => {
  const begun = await now();
  const paused = await seedEndpoint(api, institution, fixture.receiver.url, { status: 'paused', pausedAt: after(begun, -60 * hour), failingSince: after(begun, -70 * hour) });
  await transact(api.api.domain, { institutionId: institution.id, now: begun }, (tx) => updateEndpoint(tx, paused, { status: 'active' }));
  const { failing_since } = await circuitOf(api.api.domain.database.sql, paused);
  expect(failing_since?.getTime()).toBe(begun.getTime() - 10 * hour);

  const quiet = await seedEndpoint(api, institution, fixture.receiver.url, { failingSince: after(begun, -80 * hour) });
  await sql('UPDATE webhook_endpoints SET backlog_open = true, backlog_run = 1 WHERE id = $1', [quiet]);
  const waiting = await heldDelivery(quiet, begun, { status: 'retrying', retriedBy: 'backlog', heldAt: null, nextAttemptAt: after(begun, hour) });
  const handle = await start(quiet);
  await fixture.environment.sleep(10 * minute);
  expect(await circuitOf(api.api.domain.database.sql, quiet)).toMatchObject({ status: 'active' });
  expect((await row(quiet, waiting))?.status).toBe('retrying');
  await handle.terminate();
});

it('holds the 12 hours of a paused endpoint, gives up what was held for over 30 days, and ends once it is resumed', async () => {
  const begun = await now();
  const { id } = await openCircuit({ status: 'paused', pausedAt: begun, circuit: 'closed', circuitOpenedAt: null, probeAt: null });
  const old = await heldDelivery(id, begun);
  const young = await heldDelivery(id, after(begun, 2 * day), { heldAt: after(begun, 2 * day) });
  const handle = await start(id);
  await fixture.environment.sleep(29 * day);
  expect([(await row(id, old))?.status, (await row(id, young))?.status]).toEqual(['held', 'held']);
  await fixture.environment.sleep(1.5 * day);
  expect([(await row(id, old))?.status, (await row(id, young))?.status]).toEqual(['dead', 'held']);
  expect(fixture.receiver.received).toHaveLength(0);

  const resumedAt = await now();
  await transact(api.api.domain, { institutionId: institution.id, now: resumedAt }, (tx) => updateEndpoint(tx, id, { status: 'active' }));
  await handle.signal(look, {});
  await handle.result();
  expect(await row(id, young)).toMatchObject({ status: 'pending', heldAt: null });
  // It saw all of the pause since it was created, and has its 12 hours from here.
  expect((await row(id, young))?.deadlineAt?.getTime()).toBe(resumedAt.getTime() + 12 * hour);
  await recordHistory('endpointBacklog.resumed', handle);
});

it('sends what the backlog retries on its way when it is due, and not before', async () => {
  const begun = await now();
  const id = await seedEndpoint(api, institution, fixture.receiver.url, {});
  await sql('UPDATE webhook_endpoints SET backlog_open = true, backlog_run = 1 WHERE id = $1', [id]);
  const due = await heldDelivery(id, begun, { status: 'retrying', retriedBy: 'backlog', heldAt: null, nextAttemptAt: after(begun, 30 * minute) });
  const later = await heldDelivery(id, begun, { status: 'retrying', retriedBy: 'backlog', heldAt: null, nextAttemptAt: after(begun, 90 * minute) });
  const handle = await start(id);
  await fixture.environment.sleep(29 * minute);
  expect([(await row(id, due))?.status, (await row(id, later))?.status]).toEqual(['retrying', 'retrying']);
  await fixture.environment.sleep(2 * minute);
  expect([(await row(id, due))?.status, (await row(id, later))?.status]).toEqual(['pending', 'retrying']);
  await handle.result();
  expect((await row(id, later))?.status).toBe('pending');
});

it('heeds Retry-After of a probe, and attempts one delivery on request in between', async () => {
  fixture.receiver.respond = () => ({ status: 503, headers: { 'retry-after': '1800' } });
  const { id, openedAt } = await openCircuit();
  const oldest = await heldDelivery(id, openedAt);
  const other = await heldDelivery(id, after(openedAt, second));
  const handle = await start(id);
  await fixture.environment.sleep(20 * minute);
  expect(await probeTimes(id)).toHaveLength(1);
  await handle.signal(attempt, { deliveryId: other });
  await fixture.environment.sleep(minute);
  expect(await row(id, other)).toMatchObject({ status: 'held', attempts: 1 });
  expect(await row(id, oldest)).toMatchObject({ status: 'held', attempts: 1 });
  fixture.receiver.respond = () => 200;
  await handle.result();
  expect(await row(id, oldest)).toMatchObject({ status: 'delivered', attempts: 2 });
  await recordHistory('endpointBacklog.probed', handle);
});

it('probes on time while 1,000 deliveries are asked for of an endpoint that hangs, and hands on what is left to the next run, which attempts it', async () => {
  const answers: (() => void)[] = [];
  fixture.receiver.respond = () => new Promise((resolve) => answers.push(() => resolve(500)));
  const { id, openedAt } = await openCircuit({ probeAt: after(await now(), 3 * second) });
  const oldest = await heldDelivery(id, openedAt);
  const asked = await heldDelivery(id, after(openedAt, second));
  const further: string[] = [];
  for (let nth = 2; nth < 7; nth += 1) further.push(await heldDelivery(id, after(openedAt, nth * second)));
  const handle = await start(id);
  const deliveryIds = [asked, ...further, ...Array.from({ length: 994 }, (_none, nth) => `whd_${nth}`)];
  const askAll = async (): Promise<void> => {
    for (let sent = 0; sent < deliveryIds.length; sent += 100) {
      await Promise.all(deliveryIds.slice(sent, sent + 100).map((deliveryId) => handle.signal(attempt, { deliveryId, attempts: 0 })));
    }
  };
  const { runId } = await handle.describe();
  await handle.signal(attempt, { deliveryId: asked, attempts: 0 });
  const posted = () => fixture.receiver.received.map(({ headers }) => String(headers['x-svc-delivery-id']));
  const allAsked = askAll();
  await eventually('both, the one asked for and the probe', () => posted().includes(asked) && posted().includes(oldest));
  await allAsked;
  const receivedAt = (deliveryId: string): number => fixture.receiver.received.find(({ headers }) => headers['x-svc-delivery-id'] === deliveryId)?.at ?? Number.NaN;
  expect(receivedAt(oldest) - receivedAt(asked)).toBeLessThan(exchangeTimeoutMs);
  for (let time = 0; time < 3; time += 1) await askAll();
  for (const answer of answers.splice(0)) answer();
  await eventually('the next run', async () => (await handle.describe()).runId !== runId);
  const { events } = await handle.fetchHistory();
  const carried = defaultDataConverter.payloadConverter.fromPayload<{ deliveryId: string }[]>(events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[1] ?? {});
  expect(carried.length).toBeGreaterThan(100);
  expect(new Set(carried.map(({ deliveryId }) => deliveryId)).size).toBe(carried.length);
  expect(deliveryIds).toEqual(expect.arrayContaining(carried.map(({ deliveryId }) => deliveryId)));
  fixture.receiver.respond = () => 500;
  for (const answer of answers.splice(0)) answer();
  const carriedOn = further.filter((deliveryId) => carried.some((request) => request.deliveryId === deliveryId));
  expect(carriedOn.length).toBeGreaterThan(0);
  await eventually('the attempts of what was handed on', async () => {
    const rows = await deliveriesOf(fixture.api, id);
    return carriedOn.every((deliveryId) => rows.get(deliveryId)?.attempts === 1);
  });
  await handle.terminate();
  for (const answer of answers.splice(0)) answer();
});

it('attempts what is asked for by somebody who saw the attempt under way, before the run is notified of its end', async () => {
  const answers: (() => void)[] = [];
  fixture.receiver.respond = () => new Promise((resolve) => answers.push(() => resolve(500)));
  const begun = await now();
  const id = await seedEndpoint(api, institution, fixture.receiver.url, {});
  await sql('UPDATE webhook_endpoints SET backlog_open = true, backlog_run = 1 WHERE id = $1', [id]);
  const waiting = await heldDelivery(id, begun, { status: 'retrying', retriedBy: 'backlog', heldAt: null, nextAttemptAt: after(begun, hour) });
  const handle = await start(id);
  await handle.signal(attempt, { deliveryId: waiting, attempts: 0 });
  await eventually('the attempt', () => answers.length === 1);
  // One for the attempt under way adds nothing, one for that after it is made.
  await handle.signal(attempt, { deliveryId: waiting, attempts: 0 });
  await handle.signal(attempt, { deliveryId: waiting, attempts: 1 });
  answers.shift()?.();
  await eventually('the next attempt', () => answers.length === 1);
  answers.shift()?.();
  await eventually('its end', async () => (await row(id, waiting))?.attempts === 2);
  await handle.terminate();
});

it('that ends because its endpoint was deleted says so, and one that has sent everything that it drained', async () => {
  const { id, openedAt } = await openCircuit();
  await heldDelivery(id, openedAt);
  const handle = await start(id);
  await fixture.environment.sleep(minute);
  await fixture.command((tx) => deleteEndpoint(tx, id));
  await handle.signal(look, {});
  expect(await handle.result()).toEqual({ outcome: 'deleted', givenUp: 0 });
  expect(await currentDetails(handle)).toBe(`Nothing is waiting for \`${id}\`: the endpoint was deleted, and its open deliveries were cancelled.`);

  fixture.receiver.respond = () => 200;
  const other = await openCircuit();
  await heldDelivery(other.id, other.openedAt);
  expect(await (await start(other.id)).result()).toEqual({ outcome: 'drained', givenUp: 0 });
});

it('ends when another run has taken over', async () => {
  const { id, openedAt } = await openCircuit();
  await heldDelivery(id, openedAt);
  await sql('UPDATE webhook_endpoints SET backlog_run = 2 WHERE id = $1', [id]);
  await (await start(id)).result();
  expect(fixture.receiver.received).toHaveLength(0);
});
