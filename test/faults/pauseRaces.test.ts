import { MockActivityEnvironment } from '@temporalio/testing';
import { createWorkerMetrics } from '../../worker/metrics';
import { AttemptConcurrency } from '../../activities/webhooks/attemptConcurrency';
import { createRetryActivities } from '../../activities/webhooks/retryDelivery';
import type { Sql } from '../../db/statement';
import { readDeliveryPlan } from '../../domain/webhooks/readDeliveryPlan';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { deliveriesOf } from '../support/deliveries';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { startReceiver, type Receiver } from '../support/receiver';

let receiver: Receiver;
let api: TestApi;
let client: WebhookClient;
let institution: TestInstitution;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  client = createWebhookClient({ trustedHosts: [receiver.host] });
});

afterAll(async () => {
  await client.close();
  await api.stop();
  await receiver.close();
});

beforeEach(async () => {
  institution = await api.institution();
});

const setStatus = (endpointId: string, status: 'active' | 'paused') =>
  api.call('PATCH', `/webhooks/endpoints/${endpointId}`, { key: institution.apiKey, body: { status } });

/** The database, but that `between` happens after the first statement that is run on it. */
function interrupted(sql: Sql, between: () => Promise<unknown>): Sql {
  let first = true;
  return async (query, values) => {
    const rows = await sql(query, values);
    if (first) {
      first = false;
      await between();
    }
    return rows as never;
  };
}

it('a workflow that reads of a pause as it ends holds nothing', async () => {
  const endpointId = await seedEndpoint(api, institution, receiver.url, { status: 'paused', pausedAt: new Date() });
  const soon = new Date(Date.now() + 60_000);
  const id = await seedDelivery(api, institution, endpointId, { status: 'retrying', attempts: 1, firstAttemptAt: new Date(), nextAttemptAt: soon, deadlineAt: soon });
  const { domain } = api.api;
  const database = { ...domain.database, sql: interrupted(domain.database.sql, () => setStatus(endpointId, 'active')) };
  const plan = await readDeliveryPlan({ ...domain, database }, { deliveryId: id, institutionId: institution.id, cycle: 1 }, new Date());
  expect(plan).toMatchObject({ state: 'retrying', nextAttemptAtMs: soon.getTime() });
  expect((await deliveriesOf(api, endpointId)).get(id)?.status).toBe('retrying');
});

/** Has a workflow's attempt, due now, made while `between` happens after it has read that it may. */
async function attemptInterrupted(endpointId: string, between: () => Promise<unknown>) {
  const { domain } = api.api;
  const now = new Date();
  const id = await seedDelivery(api, institution, endpointId, {
    eventId: (await domain.database.sql<{ id: string }>('SELECT id FROM events WHERE institution_id = $1 LIMIT 1', [institution.id]))[0]?.id ?? '',
    status: 'retrying',
    attempts: 1,
    scheduleStep: 1,
    firstAttemptAt: now,
    nextAttemptAt: now,
    deadlineAt: new Date(now.getTime() + 60_000),
  });
  const database = { ...domain.database, sql: interrupted(domain.database.sql, between) };
  const { attemptDelivery } = createRetryActivities({ domain: { ...domain, database }, client, metrics: createWorkerMetrics(), attemptConcurrency: new AttemptConcurrency() });
  const cycle = { deliveryId: id, institutionId: institution.id, cycle: 1 };
  await new MockActivityEnvironment().run(() => attemptDelivery(cycle, 'schedule', now.getTime()));
  return (await deliveriesOf(api, endpointId)).get(id);
}

it.each([
  ['the endpoint is paused', (endpointId: string) => setStatus(endpointId, 'paused'), { status: 'held' }],
  ['the institution is suspended', () => api.platform('POST', `/institutions/${institution.id}/suspend`), { status: 'held' }],
  ['the endpoint is deleted', (endpointId: string) => api.call('DELETE', `/webhooks/endpoints/${endpointId}`, { key: institution.apiKey }), { status: 'cancelled' }],
])('a workflow that has read that it may attempt, just before %s, begins no attempt and settles it', async (_what, happens, becomes) => {
  receiver.received.length = 0;
  const endpointId = await seedEndpoint(api, institution, receiver.url);
  expect(await attemptInterrupted(endpointId, () => happens(endpointId))).toMatchObject({ ...becomes, attempts: 1, claimedBy: null });
  expect(receiver.received).toEqual([]);
});
