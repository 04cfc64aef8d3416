import { MockActivityEnvironment } from '@temporalio/testing';
import { createWorkerMetrics } from '../../worker/metrics';
import { createBacklogActivities } from '../../activities/webhooks/backlog';
import { AttemptConcurrency } from '../../activities/webhooks/attemptConcurrency';
import { createRetryActivities } from '../../activities/webhooks/retryDelivery';
import { openDatabase } from '../../db/database';
import type { EndpointEntity } from '../../db/entities/endpoint';
import type { Domain, EndedDeliveries } from '../../domain/context';
import { transact } from '../../domain/transact';
import { reconcileDeliveries } from '../../domain/webhooks/reconcileDeliveries';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { startTestApi, systemCaller, type TestApi, type TestInstitution } from '../support/api';
import { changeDeliveries } from '../support/deliveries';
import { seedDeadDeliveries, seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { readMetrics } from '../support/metrics';

let api: TestApi;
let institution: TestInstitution;
let client: WebhookClient;

beforeAll(async () => {
  api = await startTestApi();
  client = createWebhookClient({ trustedHosts: [] });
});

beforeEach(async () => {
  institution = await api.institution();
});

afterAll(async () => {
  await client.close();
  await api.stop();
});

const later = new Date(Date.now() + 3_600_000);
const seed = (fields: Partial<EndpointEntity> = {}) => seedEndpoint(api, institution, 'https://receiver.example/', fields);
const waiting = (endpointId: string, fields: object = {}) => seedDelivery(api, institution, endpointId, { status: 'retrying', nextAttemptAt: later, deadlineAt: later, ...fields });

/** The counts that the API reports so far. */
async function endedCounts(): Promise<Record<string, number | undefined>> {
  const metrics = await readMetrics(api.api.platformPort);
  return Object.fromEntries(['delivered', 'dead', 'cancelled'].map((outcome) => [outcome, metrics.get(`webhook_deliveries_total{outcome="${outcome}"}`)]));
}

/** A domain as a worker has it, and the deliveries that were reported to it as ended. */
function counting(): { domain: Domain; metrics: ReturnType<typeof createWorkerMetrics>; ended: EndedDeliveries[] } {
  const ended: EndedDeliveries[] = [];
  const note = (one: EndedDeliveries = {}): void => {
    const some = Object.fromEntries(Object.entries(one).filter(([, count]) => count > 0));
    if (Object.keys(some).length > 0) ended.push(some);
  };
  const domain = { ...api.api.domain, onCommitted: (_left: unknown, one?: EndedDeliveries) => note(one) };
  return { domain, metrics: { ...createWorkerMetrics(), observeEnded: note }, ended };
}

it('deliveries that are cancelled through the API, and those of an endpoint that is deleted, are counted there', async () => {
  const before = await endedCounts();
  expect(before).toEqual({ delivered: 0, dead: 0, cancelled: 0 });
  const endpointId = await seed();
  const [one] = [await waiting(endpointId), await waiting(endpointId), await seedDelivery(api, institution, endpointId), await seedDelivery(api, institution, endpointId, { status: 'delivered' })];
  const cancel = () => api.platform('POST', `/institutions/${institution.id}/deliveries/${one}/cancel`);
  expect([(await cancel()).status, (await cancel()).status]).toEqual([200, 409]);
  expect(await endedCounts()).toEqual({ ...before, cancelled: 1 });
  expect((await api.call('DELETE', `/webhooks/endpoints/${endpointId}`, { key: institution.apiKey })).status).toBe(200);
  expect(await endedCounts()).toEqual({ ...before, cancelled: 3 });
});

it('what a transaction that is rolled back would have ended is not counted', async () => {
  const { domain, ended } = counting();
  const failing = transact(domain, systemCaller(institution.id), (tx) => {
    tx.countEndedDeliveries('cancelled', 5);
    return Promise.reject(new Error('Not now'));
  });
  await expect(failing).rejects.toThrow('Not now');
  expect(ended).toEqual([]);
});

it.each([['cancelled', { deletedAt: new Date() }], ['dead', { status: 'disabled' as const }]])('a worker that finds the endpoint of a delivery gone counts it as %s: by its retry, its backlog, and among stuck deliveries', async (outcome, gone) => {
  const { domain, metrics, ended } = counting();
  const parts = { domain, client, metrics, attemptConcurrency: new AttemptConcurrency() };
  const own = { institutionId: institution.id };

  const deliveryId = await waiting(await seed(gone));
  const { readDeliveryPlan } = createRetryActivities(parts);
  for (let times = 0; times < 2; times += 1) await readDeliveryPlan({ ...own, deliveryId, cycle: 1 }, Date.now());
  expect(ended.splice(0)).toEqual([{ [outcome]: 1 }]);

  const endpointId = await seed(gone);
  for (const status of ['held', 'pending'] as const) await seedDelivery(api, institution, endpointId, { status });
  await api.api.domain.database.sql('UPDATE webhook_endpoints SET backlog_open = true, backlog_run = 1, backlog_opened_at = now() WHERE id = $1', [endpointId]);
  const { workBacklog } = createBacklogActivities(parts);
  for (let times = 0; times < 2; times += 1) await new MockActivityEnvironment().run(() => workBacklog({ ...own, endpointId, run: 1 }, Date.now()));
  expect(ended.splice(0)).toEqual([{ [outcome]: 2 }]);

  await seedDelivery(api, institution, await seed(gone), { status: 'held' });
  for (let times = 0; times < 2; times += 1) await reconcileDeliveries(domain, new Date());
  expect(ended).toEqual([{ [outcome]: 1 }]);
});

it.each([
  ['dead', 'of an endpoint that is disabled', { status: 'disabled' as const }, null],
  ['cancelled', 'of an endpoint that is deleted', { deletedAt: new Date() }, null],
  ['dead', 'that ran out of time', {}, new Date(Date.now() - 3_600_000)],
])('a chunk of %s deliveries %s is counted once it is committed, though the store is lost before the next', async (outcome, _which, endpoint, deadlineAt) => {
  const { domain, metrics, ended } = counting();
  const endpointId = await seed(endpoint);
  await seedDeadDeliveries(api, institution, endpointId, 1_001, { status: 'held', createdAt: new Date(Date.now() - 86_400_000) });
  await changeDeliveries(api.api.domain.database.sql, 'SET held_at = now(), deadline_at = coalesce($2, deadline_at) WHERE endpoint_id = $1', [endpointId, deadlineAt]);
  await api.api.domain.database.sql('UPDATE webhook_endpoints SET backlog_open = true, backlog_run = 1, backlog_opened_at = now() WHERE id = $1', [endpointId]);
  const own = await openDatabase(api.stack.databaseUrl, 2, () => undefined);
  const onCommitted: Domain['onCommitted'] = (left, one) => {
    domain.onCommitted(left, one);
    void own.pool.end();
  };
  const { workBacklog } = createBacklogActivities({ domain: { ...domain, database: own, onCommitted }, client, metrics, attemptConcurrency: new AttemptConcurrency() });
  await expect(new MockActivityEnvironment().run(() => workBacklog({ institutionId: institution.id, endpointId, run: 1 }, Date.now()))).rejects.toThrow('after calling end');
  expect(ended).toEqual([{ [outcome]: 1_000 }]);
});
