import { createLogger } from '../../config/logger';
import { createWorkerMetrics } from '../../worker/metrics';
import { startSender, type Sender } from '../../worker/sender/sender';
import { openGenericPlanPool, type GenericPlanPool } from '../../db/genericPlanPool';
import { transact } from '../../domain/transact';
import { createEndpoint } from '../../domain/webhooks/createEndpoint';
import { createStudent } from '../../domain/students/createStudent';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { systemCaller } from '../support/api';
import { deliveriesOf } from '../support/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { startReceiver, type Receiver } from '../support/receiver';
import { apiFixture } from '../support/apiFixture';
import { skewClock } from '../support/skewClock';

const minute = 60_000;
const stopsWithinMs = 10_000;

let receiver: Receiver;
let pool: GenericPlanPool;
let client: WebhookClient;

beforeAll(async () => {
  receiver = await startReceiver();
  client = createWebhookClient({ trustedHosts: [receiver.host] });
});

afterAll(async () => {
  await pool.close();
  await client.close();
  await receiver.close();
});

const { api, institution } = apiFixture({ settings: () => ({ webhookTrustedHosts: [receiver.host] }) });

beforeAll(() => {
  pool = openGenericPlanPool(api.stack.databaseUrl, 12, () => undefined);
});

beforeEach(async () => {
  receiver.received.length = 0;
  receiver.respond = () => 200;
  await api.api.domain.database.sql('DELETE FROM event_queue');
});

afterEach(() => jest.useRealTimers());

function begin(): Sender {
  const { domain } = api.api;
  return startSender({ domain, sql: pool.sql, client, logger: createLogger('worker', 'silent'), metrics: createWorkerMetrics(), onOutboxAppended: () => undefined });
}

const newStudent = (): Promise<unknown> => transact(api.api.domain, systemCaller(institution.id, new Date()), (tx) => createStudent(tx, {}));

it.each([['ahead', minute], ['behind', -minute]])('an endpoint that a machine a minute %s creates takes exactly the events that are committed after it', async (_where, ms) => {
  await newStudent();
  skewClock(ms);
  const { endpoint } = await transact(api.api.domain, systemCaller(institution.id, new Date()), (tx) =>
    createEndpoint(tx, { url: { value: receiver.url }, events: ['student.created'] }),
  );
  jest.useRealTimers();
  await newStudent();
  const sender = begin();
  try {
    await eventually('the event after it', () => receiver.received.length > 0);
    const [event] = await api.api.domain.database.sql<{ id: string; created_at: Date }>(
      "SELECT id, created_at FROM events WHERE institution_id = $1 AND type = 'student.created' ORDER BY created_at DESC LIMIT 1",
      [institution.id],
    );
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([event?.id]);
    expect(Math.abs(endpoint.createdAt.getTime() - Date.now())).toBeLessThan(minute / 2);
    expect(endpoint.createdAt.getTime()).toBeLessThan(event?.created_at.getTime() ?? 0);
  } finally {
    await sender.stop(stopsWithinMs);
  }
});

it('two senders a minute apart send nothing twice and lose nothing, and their records show one time', async () => {
  const endpointId = await seedEndpoint(api, institution, receiver.url, { events: ['student.created'] });
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => { answer = resolve; });
  receiver.respond = async () => {
    await answered;
    return 200;
  };
  const senders = [begin()];
  try {
    for (let nth = 0; nth < 3; nth += 1) await newStudent();
    await eventually('three attempts in flight', () => receiver.received.length === 3);
    for (const ms of [minute, -minute]) {
      skewClock(ms);
      const sender = begin();
      senders.push(sender);
      await newStudent();
      sender.wakeForEvents();
      await eventually('its own event', () => receiver.received.length >= senders.length + 2);
      // Stopping waits for every loop: what would take a claim away has looked by then.
      answer();
      await sender.stop(stopsWithinMs);
    }
    jest.useRealTimers();
    await eventually('all delivered', async () => [...(await deliveriesOf(api, endpointId)).values()].every(({ status }) => status === 'delivered'));
    const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
    const attempts = await api.api.domain.database.sql<{ started_at: Date; event_created_at: Date }>(
      'SELECT a.started_at, d.event_created_at FROM webhook_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE a.endpoint_id = $1',
      [endpointId],
    );
    expect(attempts).toHaveLength(5);
    for (const { started_at, event_created_at } of attempts) expect(Math.abs(started_at.getTime() - event_created_at.getTime())).toBeLessThan(minute / 2);
  } finally {
    answer();
    await Promise.all(senders.map((sender) => sender.stop(stopsWithinMs)));
  }
});
