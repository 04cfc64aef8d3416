import { MockActivityEnvironment } from '@temporalio/testing';
import fc from 'fast-check';
import { createWorkerMetrics } from '../../../worker/metrics';
import { createBacklogActivities, type BacklogActivities } from '../../../activities/webhooks/backlog';
import { AttemptConcurrency } from '../../../activities/webhooks/attemptConcurrency';
import type { EndpointEntity } from '../../../db/entities/endpoint';
import type { Transaction } from '../../../domain/context';
import { approveInstitution, suspendInstitution } from '../../../domain/institutions/changeStatus';
import { transact } from '../../../domain/transact';
import { disableFailingEndpoint } from '../../../domain/webhooks/disableEndpoint';
import { reconcileDeliveries } from '../../../domain/webhooks/reconcileDeliveries';
import { updateEndpoint } from '../../../domain/webhooks/updateEndpoint';
import { createWebhookClient, type WebhookClient } from '../../../outbound/webhooks/webhookClient';
import { startTestApi, type TestApi, type TestInstitution } from '../../support/api';
import { seedDeliveryAttempt, seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { circuitOf, countDeliveriesByState } from '../../support/circuits';
import { deliveriesOf, type StoredDelivery } from '../../support/deliveries';
import { startReceiver, type Receiver } from '../../support/receiver';

const minute = 60_000;
const hour = 60 * minute;
const window = 12 * hour;
const origin = Date.now() - 100 * hour;
/** The time so many hours after the tests' first. */
const at = (hours: number): Date => new Date(origin + hours * hour);
/** Now, on that scale. */
const present = 100;

let receiver: Receiver;
let api: TestApi;
let client: WebhookClient;
let activities: BacklogActivities;
let institution: TestInstitution;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  client = createWebhookClient({ trustedHosts: [receiver.host] });
  activities = createBacklogActivities({ domain: api.api.domain, client, metrics: createWorkerMetrics(), attemptConcurrency: new AttemptConcurrency() });
});

afterAll(async () => {
  await client.close();
  await api.stop();
  await receiver.close();
});

beforeEach(async () => {
  receiver.respond = () => 500;
  institution = await api.institution();
});

const commands = {
  pause: (tx, id) => updateEndpoint(tx, id, { status: 'paused' }),
  resume: (tx, id) => updateEndpoint(tx, id, { status: 'active' }),
  suspend: (tx) => suspendInstitution(tx),
  approve: (tx) => approveInstitution(tx),
} satisfies Record<string, (tx: Transaction, id: string) => Promise<unknown>>;

type Command = keyof typeof commands;

const run = (command: Command, id: string, now: Date): Promise<unknown> =>
  transact<unknown>(api.api.domain, { institutionId: institution.id, now }, (tx) => commands[command](tx, id));
const seed = (fields: Partial<EndpointEntity> = {}): Promise<string> => seedEndpoint(api, institution, receiver.url, { createdAt: at(-1), ...fields });
const deliver = (id: string, createdAt: Date, fields: Partial<StoredDelivery> = {}): Promise<string> =>
  seedDelivery(api, institution, id, { createdAt, deadlineAt: new Date(createdAt.getTime() + window), ...fields });
const circuit = (id: string) => circuitOf(api.api.domain.database.sql, id);
/** Since when support sees it fail. */
async function shownFailingSince(id: string): Promise<Date> {
  const { data } = await api.platform('GET', `/institutions/${institution.id}/webhook-endpoints/${id}/health`);
  return new Date(data.failing_since);
}
const waiters = (id: string) => countDeliveriesByState(api.api.domain.database.sql, id);

async function read(endpointId: string, id: string): Promise<StoredDelivery> {
  const row = (await deliveriesOf(api, endpointId)).get(id);
  if (row === undefined) throw new Error('No such delivery');
  return row;
}

/** By how many hours the deadline of a delivery has moved from 12 hours after its creation. */
async function moved(endpointId: string, id: string): Promise<number> {
  const { deadlineAt, createdAt } = await read(endpointId, id);
  return ((deadlineAt?.getTime() ?? Number.NaN) - createdAt.getTime() - window) / hour;
}

describe('a pause and a suspension that overlap hold the 12 hours once', () => {
  it.each([
    ['paused, suspended, resumed, approved', ['pause', 'suspend', 'resume', 'approve']],
    ['suspended, paused, approved, resumed', ['suspend', 'pause', 'approve', 'resume']],
    ['paused, suspended, approved, resumed', ['pause', 'suspend', 'approve', 'resume']],
    ['suspended, paused, resumed, approved', ['suspend', 'pause', 'resume', 'approve']],
  ] as const)('%s: from the first to the last, and nothing moves or goes out in between', async (_order, [first, second, third, last]) => {
    const id = await seed({ failingSince: at(0) });
    const older = await deliver(id, at(0));
    await run(first, id, at(1));
    const meanwhile = await deliver(id, at(2), { status: 'held' });
    await run(second, id, at(3));
    const between = await deliver(id, at(4), { status: 'held' });
    const before = await deliveriesOf(api, id);
    expect(before.get(older)).toMatchObject({ status: 'held', heldAt: at(1) });
    await run(third, id, at(6));
    expect(await deliveriesOf(api, id)).toEqual(before);
    expect((await circuit(id)).failing_since).toEqual(at(0));
    const late = await deliver(id, at(7), { status: 'held' });
    await run(last, id, at(10));
    expect(await waiters(id)).toEqual({ pending: 4 });
    expect([await moved(id, older), await moved(id, meanwhile), await moved(id, between), await moved(id, late)]).toEqual([9, 8, 6, 3]);
    expect((await circuit(id)).failing_since).toEqual(at(9));
    expect(await shownFailingSince(id)).toEqual(at(0));
  });

  it('a second pause keeps the first failure, too; the first failure after a success is another', async () => {
    const id = await seed({ failingSince: at(0) });
    for (const [command, hours] of [['pause', 1], ['resume', 2], ['pause', 3], ['resume', 6]] as const) await run(command, id, at(hours));
    expect([(await circuit(id)).failing_since, await shownFailingSince(id)]).toEqual([at(4), at(0)]);
    await api.api.domain.database.sql('UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [id, at(7)]);
    expect(await shownFailingSince(id)).toEqual(at(7));
    for (const [command, hours] of [['suspend', 8], ['approve', 9]] as const) await run(command, id, at(hours));
    expect([(await circuit(id)).failing_since, await shownFailingSince(id)]).toEqual([at(8), at(7)]);
  });

  it('for any commands at any times: a deadline moves by the time that its endpoint’s clock was paused after the creation', async () => {
    const steps = fc.array(fc.tuple(fc.constantFrom<Command>('pause', 'resume', 'suspend', 'approve'), fc.integer({ min: 2, max: 600 })), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (drawn) => {
        institution = await api.institution();
        const id = await seed({ failingSince: at(0) });
        const model = { paused: false, suspended: false, minutes: 0, pausedMinutes: 0 };
        const isPaused = (): boolean => model.paused || model.suspended;
        const created: { id: string; pausedBefore: number }[] = [];
        for (const [command, gap] of [...drawn, ['resume', 7], ['approve', 11]] as const) {
          // In the middle of the gap: neither command shares its time with a creation.
          const born = new Date(origin + (model.minutes + gap / 2) * minute);
          const pausedBefore = model.pausedMinutes + (isPaused() ? gap / 2 : 0);
          created.push({ id: await deliver(id, born, { status: isPaused() ? 'held' : 'pending' }), pausedBefore });
          model.minutes += gap;
          model.pausedMinutes += isPaused() ? gap : 0;
          await run(command, id, new Date(origin + model.minutes * minute));
          if (command === 'pause' || command === 'resume') model.paused = command === 'pause';
          else model.suspended = command === 'suspend';
          expect(await waiters(id)).toEqual({ [isPaused() ? 'held' : 'pending']: created.length });
        }
        for (const { id: delivery, pausedBefore } of created) {
          expect((await moved(id, delivery)) * hour).toBeCloseTo((model.pausedMinutes - pausedBefore) * minute, 3);
        }
        expect((await circuit(id)).failing_since).toEqual(new Date(origin + model.pausedMinutes * minute));
      }),
      { numRuns: 25 },
    );
  });
});

describe.each([
  ['a pause', 'pause', 'resume'],
  ['a suspension', 'suspend', 'approve'],
] as const)('an attempt that somebody asks for during %s of more than 12 hours', (_rest, begin, end) => {
  /** A delivery of a real event, so that there is something to post. */
  async function deliverEvent(endpointId: string, createdAt: Date, fields: Partial<StoredDelivery> = {}): Promise<string> {
    await transact(api.api.domain, institution.caller, async (tx) => tx.emit('ping', { endpoint_id: endpointId }));
    const [event] = await api.api.domain.database.sql<{ id: string }>("SELECT id FROM events WHERE institution_id = $1 AND type = 'ping' ORDER BY created_at DESC LIMIT 1", [institution.id]);
    return deliver(endpointId, createdAt, { eventId: event?.id ?? '', ...fields });
  }
  const ask = (endpointId: string, id: string, now: Date): Promise<boolean> =>
    new MockActivityEnvironment().run(() => activities.attemptWaiting({ endpointId, institutionId: institution.id, run: 1 }, id, now.getTime()));

  it('and that fails leaves the delivery held, and its deadline as if it had not been', async () => {
    const id = await seed({ failingSince: at(80), consecutiveFailures: 1 });
    const failed = { status: 'retrying', retriedBy: 'backlog', attempts: 1, scheduleStep: 1, firstAttemptAt: at(80), nextAttemptAt: at(82) } as const;
    const [asked, left] = [await deliverEvent(id, at(80), failed), await deliverEvent(id, at(80), failed)];
    await run(begin, id, at(81));
    await ask(id, asked, at(present));
    await ask(id, asked, at(present + 6));
    expect(await read(id, asked)).toMatchObject({ status: 'held', attempts: 3, scheduleStep: 1, heldAt: at(81), claimedBy: null });
    await run(end, id, at(present + 10));
    expect(await read(id, asked)).toMatchObject({ status: 'pending', deadlineAt: at(80 + 12 + 29) });
    expect((await read(id, left)).deadlineAt).toEqual(at(80 + 12 + 29));
  });

  it('and that is the first opens 12 hours, in which the rest does not count', async () => {
    const id = await seed();
    await run(begin, id, at(80));
    const delivery = await deliverEvent(id, at(81), { status: 'held' });
    await ask(id, delivery, at(present));
    expect(await read(id, delivery)).toMatchObject({ status: 'held', attempts: 1 });
    await ask(id, delivery, at(present + 14));
    expect(await read(id, delivery)).toMatchObject({ status: 'held', attempts: 2, heldAt: at(81) });
    await run(end, id, at(present + 20));
    expect(await read(id, delivery)).toMatchObject({ status: 'pending', deadlineAt: at(present + 20 + 12) });
  });
});

describe('an endpoint of a suspended institution', () => {
  /** An endpoint that has failed since then, with attempts enough in the last day before `now`. */
  async function seedFailing(failingSince: Date, now: number): Promise<string> {
    const id = await seed({ failingSince, consecutiveFailures: 10 });
    const delivery = await deliver(id, at(present - 1), { status: 'retrying', attempts: 10, scheduleStep: 10, firstAttemptAt: at(present - 1), nextAttemptAt: at(present + 200), deadlineAt: at(present + 200) });
    for (let number = 1; number <= 10; number += 1) await seedDeliveryAttempt(api, delivery, { number, startedAt: at(now - number) });
    return id;
  }
  const disables = (id: string, now: Date): Promise<boolean> => disableFailingEndpoint(api.api.domain, { endpointId: id, institutionId: institution.id }, now);

  it('is not disabled, regardless of how long it has failed', async () => {
    const id = await seedFailing(at(0), present);
    await run('suspend', id, at(1));
    expect(await disables(id, at(present))).toBe(false);
    await reconcileDeliveries(api.api.domain, at(present));
    expect(await circuit(id)).toMatchObject({ status: 'active', failing_since: at(0) });
    expect(await waiters(id)).not.toHaveProperty('dead');
  });

  it('is disabled after 72 hours in which the suspension has not counted, once it is approved', async () => {
    const id = await seedFailing(at(0), present);
    await run('suspend', id, at(60));
    await run('approve', id, at(90));
    await reconcileDeliveries(api.api.domain, at(present));
    expect((await circuit(id)).status).toBe('active');
    expect(await disables(id, at(101.9))).toBe(false);
    expect(await disables(id, at(102.1))).toBe(true);
    expect(await circuit(id)).toMatchObject({ status: 'disabled', disabled_reason: 'No attempt has succeeded for 72 hours.' });
  });

  it('keeps neither a pause nor the suspension against it where they overlapped', async () => {
    const id = await seedFailing(at(0), present);
    await run('pause', id, at(50));
    await run('suspend', id, at(60));
    await run('resume', id, at(70));
    await reconcileDeliveries(api.api.domain, at(80));
    await run('approve', id, at(90));
    expect(await disables(id, at(111.9))).toBe(false);
    expect((await circuit(id)).failing_since).toEqual(at(40));
  });
});
