import { MockActivityEnvironment } from '@temporalio/testing';
import { createWorkerMetrics } from '../../worker/metrics';
import { createBacklogActivities, type BacklogActivities } from '../../activities/webhooks/backlog';
import { AttemptConcurrency } from '../../activities/webhooks/attemptConcurrency';
import { createRetryActivities, type RetryActivities } from '../../activities/webhooks/retryDelivery';
import { backlogWorkflowId } from '../../domain/outbox/workflows';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { circuitOf } from '../support/circuits';
import { deliveriesOf, type StoredDelivery } from '../support/deliveries';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { startReceiver, type Receiver } from '../support/receiver';

let receiver: Receiver;
let api: TestApi;
let institution: TestInstitution;
let client: WebhookClient;
let attemptConcurrency: AttemptConcurrency;
let activities: RetryActivities & BacklogActivities;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  client = createWebhookClient({ trustedHosts: [receiver.host] });
  institution = await api.institution();
});

beforeEach(() => {
  receiver.received.length = 0;
  receiver.respond = () => 500;
  attemptConcurrency = new AttemptConcurrency();
  const parts = { domain: api.api.domain, client, metrics: createWorkerMetrics(), attemptConcurrency };
  activities = { ...createRetryActivities(parts), ...createBacklogActivities(parts) };
});

afterAll(async () => {
  await client.close();
  await api.stop();
  await receiver.close();
});

const run = <Result>(work: () => Promise<Result>): Promise<Result> => new MockActivityEnvironment().run(work);
const sql = <Row extends object>(text: string, values: unknown[] = []) => api.api.domain.database.sql<Row>(text, values);

/** A delivery that has failed once, with its endpoint. */
async function failedOnce(fields: Partial<StoredDelivery> = {}): Promise<{ id: string; endpointId: string }> {
  const now = new Date();
  const endpointId = await seedEndpoint(api, institution, receiver.url);
  const [event] = await sql<{ id: string }>('SELECT id FROM events WHERE institution_id = $1 LIMIT 1', [institution.id]);
  const id = await seedDelivery(api, institution, endpointId, {
    eventId: event?.id ?? '', status: 'retrying', retriedBy: 'workflow', attempts: 1, scheduleStep: 1, firstAttemptAt: now,
    nextAttemptAt: new Date(now.getTime() + 60_000), deadlineAt: new Date(now.getTime() + 43_200_000), ...fields,
  });
  return { id, endpointId };
}

const read = async ({ id, endpointId }: { id: string; endpointId: string }) => (await deliveriesOf(api, endpointId)).get(id);

describe('an attempt that was asked for, whose completion was lost', () => {
  it('of a delivery with a workflow of its own is not posted again', async () => {
    const delivery = await failedOnce();
    const ask = () => run(() => activities.attemptDelivery({ deliveryId: delivery.id, institutionId: institution.id, cycle: 1 }, 'request', Date.now(), 1));
    const plans = [await ask(), await ask()];
    expect(receiver.received).toHaveLength(1);
    expect(plans.map(({ state, attempts }) => [state, attempts])).toEqual([['retrying', 2], ['retrying', 2]]);
  });

  it('of a delivery of a backlog is not posted again', async () => {
    const delivery = await failedOnce({ status: 'held', retriedBy: 'backlog', heldAt: new Date(), nextAttemptAt: null });
    const ask = () => run(() => activities.attemptWaiting({ endpointId: delivery.endpointId, institutionId: institution.id, run: 1 }, delivery.id, Date.now(), 1));
    expect([await ask(), await ask()]).toEqual([true, true]);
    expect(receiver.received).toHaveLength(1);
    expect(await read(delivery)).toMatchObject({ attempts: 2 });
  });
});

it('a request through the API carries how many attempts it saw', async () => {
  const own = await failedOnce();
  const held = await failedOnce({ status: 'held', retriedBy: 'backlog', heldAt: new Date(), nextAttemptAt: null, attempts: 3 });
  for (const { id } of [own, held]) expect((await api.platform('POST', `/institutions/${institution.id}/deliveries/${id}/retry-now`, { body: {} })).status).toBe(200);
  const signals = await sql("SELECT workflow_id, name, argument FROM owed_workflows WHERE kind = 'signal' AND workflow_id = ANY ($1) ORDER BY seq", [[own.id, backlogWorkflowId(held.endpointId, 1)]]);
  expect(signals).toEqual([
    { workflow_id: own.id, name: 'retryNow', argument: { attempts: 1 } },
    { workflow_id: backlogWorkflowId(held.endpointId, 1), name: 'attempt', argument: { deliveryId: held.id, attempts: 3 } },
  ]);
});

describe('while attempts of an endpoint hang', () => {
  /** Takes every place of an endpoint until `leave` is called. */
  function hang({ endpointId }: { endpointId: string }): { leave: () => Promise<void> } {
    let leave = (): void => undefined;
    const held = new Promise<void>((resolve) => (leave = resolve));
    const taken = Array.from({ length: 3 }, () => attemptConcurrency.tryRun({ endpointId, institutionId: institution.id }, () => held));
    return {
      leave: async () => {
        leave();
        await Promise.all(taken);
      },
    };
  }

  it('one that is due goes to its backlog at once, for 5 s later, and nobody waits for it in an activity', async () => {
    const delivery = await failedOnce({ nextAttemptAt: new Date(Date.now() - 1_000) });
    const hanging = hang(delivery);
    const asked = Date.now();
    const plan = await run(() => activities.attemptDelivery({ deliveryId: delivery.id, institutionId: institution.id, cycle: 1 }, 'schedule', asked, 1));
    expect(plan).toMatchObject({ state: 'ended', outcome: 'handed over' });
    const row = await read(delivery);
    expect(row).toMatchObject({ status: 'retrying', retriedBy: 'backlog', attempts: 1 });
    expect((row?.nextAttemptAt?.getTime() ?? 0) - asked).toBeLessThan(6_000);
    expect(await circuitOf(api.api.domain.database.sql, delivery.endpointId)).toMatchObject({ backlog_open: true });
    expect(receiver.received).toHaveLength(0);
    await hanging.leave();
  });

  it('one that is asked for is put off, not forgotten, and its schedule stays', async () => {
    const delivery = await failedOnce();
    const before = await read(delivery);
    const hanging = hang(delivery);
    const ask = () => run(() => activities.attemptDelivery({ deliveryId: delivery.id, institutionId: institution.id, cycle: 1 }, 'request', Date.now(), 1));
    const putOff = await ask();
    expect(putOff).toMatchObject({ state: 'retrying', putOff: true });
    expect(putOff.nextAttemptAtMs - Date.now()).toBeLessThanOrEqual(5_000);
    expect(await read(delivery)).toMatchObject({ attempts: 1, nextAttemptAt: before?.nextAttemptAt });
    expect(await run(() => activities.attemptWaiting({ endpointId: delivery.endpointId, institutionId: institution.id, run: 1 }, delivery.id, Date.now(), 1))).toBe(false);
    await hanging.leave();
    expect(await ask()).toMatchObject({ attempts: 2 });
  });
});

it('what was not posted says nothing of how quick an endpoint is, a post does', async () => {
  const delivery = await failedOnce({ status: 'held', retriedBy: 'backlog', heldAt: new Date(), nextAttemptAt: null });
  const { endpointId } = delivery;
  const ask = (deliveryId: string) => run(() => activities.attemptWaiting({ endpointId, institutionId: institution.id, run: 1 }, deliveryId, Date.now(), 1));
  /** How many attempts of the endpoint may go at once. */
  const atOnce = async (): Promise<number> => {
    const ran = await Promise.all(Array.from({ length: 20 }, () => attemptConcurrency.tryRun({ endpointId, institutionId: institution.id }, () => Promise.resolve())));
    return ran.filter((one) => one !== undefined).length;
  };
  await ask('whd_of_nobody');
  const before = await atOnce();
  await ask(delivery.id);
  expect([before, await atOnce(), receiver.received.length]).toEqual([3, 16, 1]);
});
