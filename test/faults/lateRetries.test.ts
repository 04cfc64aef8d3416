import { MockActivityEnvironment } from '@temporalio/testing';
import { createWorkerMetrics } from '../../worker/metrics';
import { AttemptConcurrency } from '../../activities/webhooks/attemptConcurrency';
import { createRetryActivities, type RetryActivities } from '../../activities/webhooks/retryDelivery';
import { releaseLapsedClaims } from '../../db/repositories/webhooks/sending';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { deliveriesOf } from '../support/deliveries';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { startReceiver, type Receiver } from '../support/receiver';

/** A worker was killed during the attempt, and another one gets it this much later. */
const lateMs = 400_000;

let receiver: Receiver;
let api: TestApi;
let institution: TestInstitution;
let client: WebhookClient;
let activities: RetryActivities;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  client = createWebhookClient({ trustedHosts: [receiver.host] });
  activities = createRetryActivities({ domain: api.api.domain, client, metrics: createWorkerMetrics(), attemptConcurrency: new AttemptConcurrency() });
  institution = await api.institution();
});

afterAll(async () => {
  await client.close();
  await api.stop();
  await receiver.close();
});

it('an attempt that another worker takes over late bears the time at which it is made, and keeps its claim while it lasts', async () => {
  const { sql } = api.api.domain.database;
  const asked = Date.now() - lateMs;
  const endpointId = await seedEndpoint(api, institution, receiver.url, { createdAt: new Date(asked) });
  const [event] = await sql<{ id: string }>('SELECT id FROM events WHERE institution_id = $1 LIMIT 1', [institution.id]);
  const id = await seedDelivery(api, institution, endpointId, {
    eventId: event?.id ?? '',
    status: 'retrying',
    attempts: 1,
    scheduleStep: 1,
    firstAttemptAt: new Date(asked),
    nextAttemptAt: new Date(asked),
    deadlineAt: new Date(asked + 43_200_000),
  });
  receiver.respond = async () => {
    await releaseLapsedClaims(sql);
    return 200;
  };
  const late = () => activities.attemptDelivery({ deliveryId: id, institutionId: institution.id, cycle: 1 }, 'schedule', asked);
  const plan = await new MockActivityEnvironment().run(late);
  expect(plan).toMatchObject({ state: 'ended', outcome: 'delivered', attempts: 2 });
  expect((await deliveriesOf(api, endpointId)).get(id)).toMatchObject({ status: 'delivered', attempts: 2 });
  const [received] = receiver.received;
  expect(Math.abs(Number(received?.headers['webhook-timestamp']) * 1_000 - Date.now())).toBeLessThan(10_000);
});
