import { MockActivityEnvironment } from '@temporalio/testing';
import { createWorkerMetrics } from '../../worker/metrics';
import { AttemptConcurrency } from '../../activities/webhooks/attemptConcurrency';
import { createRetryActivities, type RetryActivities } from '../../activities/webhooks/retryDelivery';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { type Receiver, startRaw } from '../outbound/webhooks/receivers';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';

/** What a request that is sent once more is answered. */
let last: 'HTTP/1.1 204 OK' | 'HTTP/1.1 500 Oops';
let served = 0;
let receiver: Receiver;
let api: TestApi;
let institution: TestInstitution;
let client: WebhookClient;
let activities: RetryActivities;

beforeAll(async () => {
  // Each connection answers one request, and breaks without a byte at the next.
  receiver = await startRaw((socket) => {
    let answered = false;
    socket.on('data', () => {
      served += 1;
      if (answered) socket.resetAndDestroy();
      else socket.write(`${served === 1 ? 'HTTP/1.1 204 OK' : last}\r\ncontent-length: 0\r\n\r\n`);
      answered = true;
    });
  });
  api = await startTestApi({ webhookTrustedHosts: [`127.0.0.1:${receiver.port}`] });
  institution = await api.institution();
});

beforeEach(() => {
  served = 0;
  client = createWebhookClient({ trustedHosts: [`127.0.0.1:${receiver.port}`] });
  activities = createRetryActivities({ domain: api.api.domain, client, metrics: createWorkerMetrics(), attemptConcurrency: new AttemptConcurrency() });
});

afterEach(() => client.close());

afterAll(async () => {
  await api.stop();
  await receiver.close();
});

async function attemptOne(endpointId: string): Promise<string> {
  const now = new Date();
  const [event] = await api.api.domain.database.sql<{ id: string }>('SELECT id FROM events WHERE institution_id = $1 LIMIT 1', [institution.id]);
  const id = await seedDelivery(api, institution, endpointId, {
    eventId: event?.id ?? '', status: 'retrying', attempts: 1, scheduleStep: 1, firstAttemptAt: now, nextAttemptAt: now, deadlineAt: new Date(now.getTime() + 43_200_000),
  });
  await new MockActivityEnvironment().run(() => activities.attemptDelivery({ deliveryId: id, institutionId: institution.id, cycle: 1 }, 'schedule', now.getTime()));
  return id;
}

it.each([
  ['delivered', 'HTTP/1.1 204 OK', 204],
  ['retrying', 'HTTP/1.1 500 Oops', 500],
] as const)('a POST that was sent twice because a kept connection broke is one attempt, whose log says so: %s', async (status, answer, code) => {
  last = answer;
  const url = `http://127.0.0.1:${receiver.port}/`;
  await client.post({ url, headers: {}, body: '{}' });
  const id = await attemptOne(await seedEndpoint(api, institution, url));
  expect(served).toBe(3);
  const { data } = await api.call('GET', `/webhooks/deliveries/${id}`, { key: institution.apiKey });
  expect(data).toMatchObject({ status, attempts: 2, attempt_log: [{ number: 2, response_code: code, resent: true }] });
});
