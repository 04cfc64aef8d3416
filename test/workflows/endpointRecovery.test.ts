import fc from 'fast-check';
import type { RecoveryState } from '../../activities/webhooks/recoverEndpoint';
import { EndpointEntity } from '../../db/entities/endpoint';
import { fanOutInstitution } from '../../db/repositories/webhooks/fanOut';
import type { EventData, EventType } from '../../domain/events/eventTypes';
import { eventTypesMatching } from '../../domain/events/patterns';
import { newId } from '../../domain/ids';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { recoverChunk } from '../../domain/webhooks/recoverChunk';
import { searchAttributes, workflowProgress } from '../../workflows/contract';
import type { endpointRecovery } from '../../workflows/endpointRecovery';
import { systemCaller } from '../support/api';
import { deliveriesOf, type StoredDelivery } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { historyText, recordHistory } from '../support/histories';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution, sql, call } = fixture;

let endpointId: string;

const hour = 3_600_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);
const missEvents = (count: number, createdAt = ago(20 * hour), type: EventType = 'student.updated') => seedEvents(api, institution, { createdAt, type, count });

beforeEach(async () => {
  endpointId = await seedEndpoint(api, institution, fixture.receiver.url, { events: ['student.*'] });
});

const workflowOf = (id: string) => fixture.temporal.client.workflow.getHandle<typeof endpointRecovery>(id);

async function recover(body: object = { since: '2026-01-01T00:00:00Z' }): Promise<{ workflow_id: string; matched: number }> {
  const { data } = await call('POST', `/webhooks/endpoints/${endpointId}/recover`, body);
  return data;
}

/** Asks for a recovery and returns its result. */
async function recovered(body?: object) {
  const { workflow_id } = await recover(body);
  await eventually('the workflow', () => workflowOf(workflow_id).describe().catch(() => undefined));
  return { id: workflow_id, result: await workflowOf(workflow_id).result() };
}

/** Starts the workflow itself, as if asked for just now. */
function start(recoveryId: string, fields: Partial<WorkflowArguments['endpointRecovery']> = {}, before?: RecoveryState) {
  const recovery = { recoveryId, institutionId: institution.id, endpointId, sinceMs: 0, untilMs: Date.now(), matched: 0, ...fields };
  const args: Parameters<typeof endpointRecovery> = before === undefined ? [recovery] : [recovery, before];
  return fixture.temporal.client.workflow.start<typeof endpointRecovery>('endpointRecovery', { workflowId: recoveryId, taskQueue: api.settings.taskQueue, args });
}

/** What the Web UI shows as the workflow's current details. */
async function currentDetails(id: string): Promise<string> {
  return (await workflowOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
}

const stored = async (): Promise<StoredDelivery[]> => [...(await deliveriesOf(api, endpointId)).values()];
const eventsWithDelivery = async (): Promise<string[]> => (await stored()).map(({ eventId }) => eventId).sort();
const update = (fields: Partial<EndpointEntity>) => api.api.domain.database.manager.update(EndpointEntity, { id: endpointId }, fields);

it('writes a delivery of every event that the endpoint missed, and reads like a sentence in the Web UI', async () => {
  const ids = await missEvents(1_020);
  const { id, result } = await recovered();
  expect(result).toEqual({ outcome: 'done', recovered: 1_020, total: 1_020 });
  expect(await eventsWithDelivery()).toEqual([...ids].sort());
  expect(await workflowOf(id).query(workflowProgress)).toEqual({ done: 1_020, total: 1_020 });
  expect(await currentDetails(id)).toBe(`**1020 of 1020** events that \`${endpointId}\` missed got a delivery; done.`);
  const { typedSearchAttributes: found } = await workflowOf(id).describe();
  const { institutionId, endpointId: ofEndpoint, outcome } = searchAttributes;
  expect([institutionId, ofEndpoint, outcome].map((key) => found.get(key))).toEqual([institution.id, endpointId, 'done']);
  expect(await historyText(workflowOf(id))).toContain(`Recover 1020 events that ${endpointId} missed`);
  await recordHistory('endpointRecovery', workflowOf(id));
});

it('has them sent, with the envelope that the feed has', async () => {
  const ids = await missEvents(3);
  await recovered();
  await eventually('all delivered', async () => (await stored()).length === 3 && (await stored()).every(({ status }) => status === 'delivered'));
  const sent = fixture.receiver.received.map(({ body }): { id: string; created_at: string } => JSON.parse(body));
  const feed: { id: string }[] = (await call('GET', '/events')).data.items;
  expect(sent.sort((a, b) => a.created_at.localeCompare(b.created_at))).toEqual(feed.filter(({ id }) => ids.includes(id)));
});

it('gives an event of long ago its 12 hours from now, while the circuit is open and after it', async () => {
  fixture.receiver.respond = () => 500;
  await update({ circuit: 'open', circuitOpenedAt: new Date(), probeAt: ago(-hour), failingSince: new Date() });
  await missEvents(1, ago(20 * 24 * hour));
  await recovered();
  const [held] = await stored();
  expect(held?.status).toBe('held');
  expect(Math.abs((held?.deadlineAt?.getTime() ?? 0) - Date.now() - 12 * hour)).toBeLessThan(60_000);
  const probe = async () => {
    await update({ probeAt: new Date() });
    await sql('SELECT wake_backlogs(ARRAY[$1], clock_timestamp())', [endpointId]);
  };
  // The backlog gives up what is overdue before it probes.
  await probe();
  await eventually('a failed probe', async () => (await stored())[0]?.attempts === 1);
  expect((await stored())[0]).toMatchObject({ status: 'held', responseCode: 500, errorClass: 'http' });
  fixture.receiver.respond = () => 200;
  await probe();
  await eventually('the probe that succeeds', async () => (await stored())[0]?.status === 'delivered');
  expect((await stored())[0]).toMatchObject({ responseCode: 200, errorClass: null });
});

it.each([
  ['paused', { status: 'paused' as const, pausedAt: new Date() }],
  ['disabled', { status: 'disabled' as const }],
  ['deleted', { deletedAt: new Date() }],
])('stops in words where the endpoint was %s meanwhile, and writes no more', async (what, fields) => {
  await missEvents(1);
  await update(fields);
  const workflow = await start(`rcv_${what}_${institution.id}`, { matched: 1 });
  expect(await workflow.result()).toEqual({ outcome: 'endpoint_inactive', recovered: 0, total: 1 });
  expect(await currentDetails(workflow.workflowId)).toBe(
    `**0 of 1** events that \`${endpointId}\` missed got a delivery; stopped: the endpoint was paused, disabled or deleted; the remaining events get no delivery.`,
  );
  expect(await stored()).toEqual([]);
});

it('continues from where the run before it stopped', async () => {
  const createdAt = ago(hour);
  const [, after = ''] = await missEvents(2, createdAt);
  const workflow = await start(`rcv_continued_${institution.id}`, { matched: 2 }, { state: 'more', recovered: 1, reachedMs: createdAt.getTime() });
  expect(await workflow.result()).toEqual({ outcome: 'done', recovered: 2, total: 2 });
  expect(await eventsWithDelivery()).toEqual([after]);
});

describe('a chunk', () => {
  const now = new Date();
  const chunk = (ref: string, after = new Date(0), before?: number, caller = systemCaller(institution.id, now)) =>
    transact({ ...api.api.domain, onCommitted: () => undefined }, caller, (tx) =>
      recoverChunk(tx, ref, { endpointId, until: new Date(), eventTypes: undefined }, after, before));

  beforeEach(async () => {
    endpointId = await seedEndpoint(api, institution, 'https://127.0.0.1/in', { events: ['student.*'] });
  });

  it('takes the 500 oldest, and the next one goes on after them', async () => {
    const ids = await missEvents(501);
    const first = await chunk('rcv_order');
    expect(first).toMatchObject({ state: 'more', recovered: 500 });
    expect(await eventsWithDelivery()).toEqual(ids.slice(0, 500).sort());
    const second = await chunk('rcv_order', first.reached, first.recovered);
    expect(second).toMatchObject({ state: 'more', recovered: 501 });
    expect(await chunk('rcv_order', second.reached, second.recovered)).toMatchObject({ state: 'done', recovered: 501 });
  });

  it('reads past events that do not match, at most 5,000 of them', async () => {
    const createdAt = ago(hour);
    await missEvents(5_000, createdAt, 'exam.graded');
    const [last = ''] = await missEvents(1, new Date(createdAt.getTime() + 6_000));
    const first = await chunk('rcv_far');
    expect(first).toEqual({ state: 'more', recovered: 0, reached: new Date(createdAt.getTime() + 4_999) });
    expect(await chunk('rcv_far', first.reached, 0)).toMatchObject({ state: 'more', recovered: 1 });
    expect(await eventsWithDelivery()).toEqual([last]);
  });

  it('that is tried again, because its result was lost, counts what the first try wrote', async () => {
    await missEvents(3);
    await chunk('rcv_lost', new Date(0), 0);
    expect(await chunk('rcv_lost')).toMatchObject({ state: 'more', recovered: 3 });
    expect((await stored()).length).toBe(3);
  });

  it('five times at once writes one delivery of each event', async () => {
    const ids = await missEvents(40);
    await Promise.all(Array.from({ length: 5 }, () => chunk('rcv_race')));
    expect(await eventsWithDelivery()).toEqual([...ids].sort());
  });

  it('writes what the fan-out writes', async () => {
    const rows = await transact({ ...api.api.domain, onCommitted: () => undefined }, systemCaller(institution.id, now), async (tx) => {
      const insert = `INSERT INTO events (id, institution_id, type, created_at, body) VALUES ($1, $2, 'student.updated', $3, '{}')`;
      const at = new Date(Date.now() + 1_000);
      for (const [id, createdAt] of [[newId('evt'), ago(hour)], [newId('evt'), at]] as const) await tx.sql(insert, [id, institution.id, createdAt]);
      await tx.sql("INSERT INTO event_queue (event_id, institution_id, type, created_at) SELECT id, institution_id, type, created_at FROM events WHERE institution_id = $1 AND created_at = $2", [institution.id, at]);
      // Events of the tests before may still be queued too.
      expect((await fanOutInstitution(tx.sql, 1_000, 12 * hour, institution.id)).events).toBeGreaterThanOrEqual(1);
      await recoverChunk(tx, 'rcv_same', { endpointId, until: new Date(), eventTypes: undefined }, new Date(0), 0);
      return tx.sql<Record<string, unknown>>('SELECT * FROM deliveries WHERE endpoint_id = $1 ORDER BY event_created_at', [endpointId]);
    });
    const own = ['id', 'event_id', 'event_created_at', 'created_at', 'deadline_at'];
    const [recovered, fannedOut] = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !own.includes(name))));
    expect([rows.length, recovered]).toEqual([2, fannedOut]);
    expect(rows[0]).toMatchObject({ status: 'pending', created_at: now, deadline_at: new Date(now.getTime() + 12 * hour) });
    expect(rows[0]?.id).toEqual(expect.stringMatching(new RegExp(`^whd_${String(rows[0]?.event_id).slice(4, 14)}[0-9a-f]{16}$`)));
  });

  it('of another institution finds no such endpoint', async () => {
    await missEvents(1);
    const other = await api.institution();
    expect(await chunk('rcv_foreign', undefined, 0, other.caller)).toMatchObject({ state: 'endpoint_inactive', recovered: 0 });
    expect(await stored()).toEqual([]);
  });
});

describe('after any mix of events, pauses, disabling and enabling', () => {
  const types = ['student.updated', 'student.created', 'exam.published', 'license.expired'] as const satisfies readonly EventType[];
  type Step = (typeof types)[number] | 'pause' | 'disable' | 'activate';
  const data: Pick<EventData, (typeof types)[number]> = {
    'student.updated': { student_id: 'stu_1', changed: ['status'], status: 'active' },
    'student.created': { student_id: 'stu_1', login_email: 's@north.example', status: 'active' },
    'exam.published': { exam_id: 'exm_1', faculty_id: 'fac_1', app: 'svc' },
    'license.expired': { license_id: 'lic_1', license_type: 'student', user_id: 'stu_1', expired_at: '2026-11-20T09:30:00.000Z' },
  };

  const emit = (type: (typeof types)[number]) =>
    transact(api.api.domain, institution.caller, (tx) => {
      tx.emit(type, data[type]);
      return Promise.resolve();
    });
  const set = (status: 'active' | 'paused') => call('PATCH', `/webhooks/endpoints/${endpointId}`, { status });
  const disable = (): Promise<void> => {
    const attempt = { endpoint_id: endpointId, institution_id: institution.id, response_code: 410, started_at: new Date(Date.now() + 1_000), ended_at: new Date() };
    return disableGoneEndpoint(api.api.domain, attempt);
  };
  const take = (step: Step): Promise<unknown> => {
    if (step === 'pause') return set('paused');
    if (step === 'activate') return set('active');
    return step === 'disable' ? disable() : emit(step);
  };
  const fannedOut = () => eventually('an empty queue', async () => (await sql('SELECT 1 FROM event_queue WHERE institution_id = $1 LIMIT 1', [institution.id])).length === 0);
  const readEvents = () => sql<{ id: string; type: string; created_at: Date }>('SELECT id, type, created_at FROM events WHERE institution_id = $1 ORDER BY created_at', [institution.id]);

  it('each matching event of the range has exactly one delivery after a recovery, and no other event gets one', async () => {
    const step = fc.oneof({ weight: 3, arbitrary: fc.constantFrom<Step>(...types) }, { weight: 2, arbitrary: fc.constantFrom<Step>('pause', 'disable', 'activate') });
    const patterns = fc.uniqueArray(fc.constantFrom('*', 'student.*', 'exam.*', ...types), { minLength: 1, maxLength: 3 });
    const cases = fc.tuple(fc.array(step, { minLength: 4, maxLength: 16 }), patterns, fc.option(patterns, { nil: undefined }), fc.nat(), fc.nat(), fc.boolean());
    await fc.assert(
      fc.asyncProperty(cases, async ([steps, subscription, event_types, one, two, waits]) => {
        endpointId = await seedEndpoint(api, institution, fixture.receiver.url, { events: subscription });
        for (const next of steps) {
          await take(next);
          // Sometimes the endpoint changes while events still wait for the fan-out.
          if (waits) await fannedOut();
        }
        await emit('student.updated');
        await set('active');
        await fannedOut();
        const events = await readEvents();
        const before = await eventsWithDelivery();
        const times = [one, two].map((nth) => events[nth % events.length]?.created_at ?? new Date()).sort((a, b) => a.getTime() - b.getTime());
        const [since = new Date(), until = new Date()] = times;
        const matching = new Set(subscription.flatMap(eventTypesMatching).filter((type) => event_types === undefined || event_types.flatMap(eventTypesMatching).includes(type)));
        const expected = events.filter(({ id, type, created_at }) => created_at > since && created_at <= until && !before.includes(id) && [...matching].some((matched) => matched === type));
        const asked = await recover({ since: since.toISOString(), until: until.toISOString(), ...(event_types === undefined ? {} : { event_types }) });
        expect(asked.matched).toBe(expected.length);
        if (expected.length > 0) {
          await eventually('the workflow', () => workflowOf(asked.workflow_id).describe().catch(() => undefined));
          expect(await workflowOf(asked.workflow_id).result()).toEqual({ outcome: 'done', recovered: expected.length, total: expected.length });
        }
        expect(await eventsWithDelivery()).toEqual([...before, ...expected.map(({ id }) => id)].sort());
        await eventually('nothing open', async () => (await stored()).every(({ status }) => status === 'delivered' || status === 'dead'));
      }),
      { numRuns: 12 },
    );
  });
});
