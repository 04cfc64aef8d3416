import type { ReplayState } from '../../activities/webhooks/replayDead';
import { EndpointEntity } from '../../db/entities/endpoint';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import { replayDeadChunk } from '../../domain/webhooks/replayDeadChunk';
import { replayDelivery } from '../../domain/webhooks/replayDelivery';
import type { bulkReplay } from '../../workflows/bulkReplay';
import { searchAttributes, workflowProgress } from '../../workflows/contract';
import { systemCaller } from '../support/api';
import { seedDeadDeliveries } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { changeDeliveries, deliveriesOf } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { historyText, recordHistory } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution, sql } = fixture;

let endpointId: string;

beforeEach(async () => {
  endpointId = await seedEndpoint(api, institution, fixture.receiver.url);
});

const workflowOf = (id: string) => fixture.temporal.client.workflow.getHandle<typeof bulkReplay>(id);

async function replayDead(): Promise<string> {
  const body = { since: '2026-01-01T00:00:00Z' };
  const { data } = await api.call('POST', `/webhooks/endpoints/${endpointId}/replay-dead`, { key: institution.apiKey, body });
  return data.workflow_id;
}

/** Starts the workflow itself, as if asked for just now. */
function start(replayId: string, fields: Partial<WorkflowArguments['bulkReplay']> = {}, before?: ReplayState) {
  const replay = { replayId, institutionId: institution.id, endpointId, sinceMs: 0, untilMs: Date.now(), matched: 0, ...fields };
  const args: Parameters<typeof bulkReplay> = before === undefined ? [replay] : [replay, before];
  return fixture.temporal.client.workflow.start<typeof bulkReplay>('bulkReplay', { workflowId: replayId, taskQueue: api.settings.taskQueue, args });
}

/** What the Web UI shows as the workflow's current details. */
async function currentDetails(id: string): Promise<string> {
  return (await workflowOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
}

const replaysOf = (ref: string) =>
  sql<{ delivery_id: string; cycle: number }>('SELECT delivery_id, cycle FROM webhook_replays WHERE institution_id = $1 AND ref = $2 ORDER BY delivery_id', [institution.id, ref]);

const statusOf = async (id: string) => (await deliveriesOf(api, endpointId)).get(id)?.status;

it('replays every dead delivery of the endpoint once, and reads like a sentence in the Web UI', async () => {
  const ids = await seedDeadDeliveries(api, institution, endpointId, 1_020);
  const id = await replayDead();
  const workflow = await eventually('the workflow', () => workflowOf(id).describe().catch(() => undefined));
  expect(await workflowOf(id).result()).toEqual({ outcome: 'done', replayed: 1_020, total: 1_020 });
  expect((await replaysOf(id)).map(({ delivery_id }) => delivery_id)).toEqual([...ids].sort());
  expect(await workflowOf(id).query(workflowProgress)).toEqual({ done: 1_020, total: 1_020 });
  expect(await currentDetails(id)).toBe(`**1020 of 1020** dead deliveries to \`${endpointId}\` replayed; done.`);
  const { typedSearchAttributes: found } = await workflowOf(id).describe();
  const { institutionId, endpointId: ofEndpoint, outcome } = searchAttributes;
  expect([institutionId, ofEndpoint, outcome].map((key) => found.get(key))).toEqual([institution.id, endpointId, 'done']);
  expect([workflow.type, await historyText(workflowOf(id))]).toEqual(['bulkReplay', expect.stringContaining(`Replay 1020 dead deliveries to ${endpointId}`)]);
  await recordHistory('bulkReplay', workflowOf(id));
});

it('has them sent, each under its own id', async () => {
  const ids = await seedDeadDeliveries(api, institution, endpointId, 3);
  await replayDead();
  await eventually('a request for each', () => {
    const sent = new Set(fixture.receiver.received.map(({ headers }) => headers['x-svc-delivery-id']));
    return ids.every((id) => sent.has(id));
  });
  await eventually('all delivered', async () => [...(await deliveriesOf(api, endpointId)).values()].every(({ status }) => status === 'delivered'));
});

it.each([
  ['paused', { status: 'paused' as const, pausedAt: new Date() }],
  ['disabled', { status: 'disabled' as const }],
  ['deleted', { deletedAt: new Date() }],
])('stops in words where the endpoint was %s meanwhile, and leaves the rest dead', async (what, fields) => {
  const [id = ''] = await seedDeadDeliveries(api, institution, endpointId, 1);
  await api.api.domain.database.manager.update(EndpointEntity, { id: endpointId }, fields);
  const workflow = await start(`rpl_${what}_${institution.id}`, { matched: 1 });
  expect(await workflow.result()).toEqual({ outcome: 'endpoint_inactive', replayed: 0, total: 1 });
  expect(await currentDetails(workflow.workflowId)).toBe(
    `**0 of 1** dead deliveries to \`${endpointId}\` replayed; stopped: the endpoint was paused, disabled or deleted; the remaining deliveries stay dead.`,
  );
  expect((await workflow.describe()).typedSearchAttributes.get(searchAttributes.outcome)).toBe('endpoint_inactive');
  expect(await statusOf(id)).toBe('dead');
});

it('continues from where the run before it stopped', async () => {
  const [before = '', after = ''] = await seedDeadDeliveries(api, institution, endpointId, 2);
  const createdAtMs = (await deliveriesOf(api, endpointId)).get(before)?.createdAt.getTime() ?? 0;
  const id = `rpl_continued_${institution.id}`;
  const workflow = await start(id, { matched: 2 }, { state: 'more', replayed: 1, place: { createdAtMs, id: before } });
  expect((await workflow.result()).outcome).toBe('done');
  expect((await replaysOf(id)).map(({ delivery_id }) => delivery_id)).toEqual([after]);
});

it('leaves alone what was created after it was asked for, or not after since', async () => {
  const createdAt = new Date('2026-11-01T10:00:00.000Z');
  const ids = await seedDeadDeliveries(api, institution, endpointId, 4, { createdAt });
  const id = `rpl_bounds_${institution.id}`;
  const workflow = await start(id, { sinceMs: createdAt.getTime(), untilMs: createdAt.getTime() + 2 });
  expect(await workflow.result()).toEqual({ outcome: 'done', replayed: 2, total: 2 });
  expect((await replaysOf(id)).map(({ delivery_id }) => delivery_id)).toEqual([ids[1], ids[2]].sort());
});

it('narrowed to types and responses leaves the others dead', async () => {
  const [answered = '', refused = '', other = ''] = await seedDeadDeliveries(api, institution, endpointId, 3);
  await changeDeliveries(sql, "SET response_code = NULL, error_class = 'connect' WHERE id = $1", [refused]);
  await changeDeliveries(sql, "SET event_type = 'exam.graded' WHERE id = $1", [other]);
  const workflow = await start(`rpl_narrowed_${institution.id}`, { matched: 1, eventTypes: ['student.email_mapped'], responseCodes: ['5xx'] });
  expect(await workflow.result()).toEqual({ outcome: 'done', replayed: 1, total: 1 });
  expect((await replaysOf(workflow.workflowId)).map(({ delivery_id }) => delivery_id)).toEqual([answered]);
  expect([await statusOf(refused), await statusOf(other)]).toEqual(['dead', 'dead']);
});

describe('a chunk', () => {
  // The worker of this file takes the machine's time for its own: what has no window left by it ends.
  const now = new Date();
  const range = () => ({ endpointId, since: new Date(0), until: new Date() });
  const chunk = (ref: string, place = { createdAt: new Date(0), id: '' }, caller = systemCaller(institution.id, now)) =>
    transact({ ...api.api.domain, onCommitted: () => undefined }, caller, (tx) => replayDeadChunk(tx, ref, range(), place));
  const kill = () => changeDeliveries(sql, "SET status = 'dead' WHERE endpoint_id = $1", [endpointId]);
  const rows = () =>
    sql<Record<string, unknown>>('SELECT * FROM deliveries WHERE endpoint_id = $1 ORDER BY created_at', [endpointId]);

  beforeEach(async () => {
    endpointId = await seedEndpoint(api, institution, 'https://127.0.0.1/in');
  });

  it('writes exactly what a single replay writes', async () => {
    const [single = ''] = await seedDeadDeliveries(api, institution, endpointId, 2);
    const changed = "error_class = 'http', retried_by = 'workflow', held_at = now(), next_attempt_at = now(), delivered_at = now(), claimed_by = 'w', claimed_until = now()";
    await changeDeliveries(sql, `SET ${changed} WHERE endpoint_id = $1`, [endpointId]);
    const own = ['id', 'event_id', 'event_created_at', 'created_at'];
    const seen = await transact({ ...api.api.domain, onCommitted: () => undefined }, systemCaller(institution.id, now), async (tx) => {
      await replayDelivery(tx, single, 'r-1');
      await replayDeadChunk(tx, 'rpl_same', range(), { createdAt: new Date(0), id: '' });
      return tx.sql<Record<string, unknown>>('SELECT * FROM deliveries WHERE endpoint_id = $1 ORDER BY created_at', [endpointId]);
    });
    const [one, other] = seen.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !own.includes(name))));
    expect(other).toEqual(one);
    expect(one).toMatchObject({ status: 'pending', cycle: 2, retried_by: null, held_at: null, claimed_by: null, response_code: null, error_class: null, deadline_at: new Date(now.getTime() + 43_200_000) });
  });

  it('replays none again that it has sent again, though it died again', async () => {
    await seedDeadDeliveries(api, institution, endpointId, 2);
    expect(await chunk('rpl_once')).toMatchObject({ state: 'more', replayed: 2 });
    await kill();
    expect(await chunk('rpl_once')).toMatchObject({ state: 'done', replayed: 2 });
    expect((await rows()).map(({ status, cycle }) => [status, cycle])).toEqual([['dead', 2], ['dead', 2]]);
    expect(await chunk('rpl_again')).toMatchObject({ state: 'more', replayed: 2 });
  });

  it('takes the 500 oldest, and the next one goes on after them', async () => {
    const ids = await seedDeadDeliveries(api, institution, endpointId, 501);
    const first = await chunk('rpl_order');
    expect(first).toMatchObject({ state: 'more', replayed: 500, place: { id: ids[499] } });
    expect((await replaysOf('rpl_order')).map(({ delivery_id }) => delivery_id)).toEqual(ids.slice(0, 500).sort());
    const second = await chunk('rpl_order', first.place);
    expect(second).toMatchObject({ state: 'more', replayed: 501 });
    expect(await chunk('rpl_order', second.place)).toMatchObject({ state: 'done', replayed: 501 });
  });

  it('five times at once replays each once', async () => {
    await seedDeadDeliveries(api, institution, endpointId, 40);
    await Promise.all(Array.from({ length: 5 }, () => chunk('rpl_race')));
    expect((await replaysOf('rpl_race')).map(({ cycle }) => cycle)).toEqual(Array(40).fill(2));
  });

  it('during single replays of the same deliveries lets each be replayed by one of them', async () => {
    const ids = await seedDeadDeliveries(api, institution, endpointId, 20);
    const singly = ids.map((id) => api.call('POST', `/webhooks/deliveries/${id}/replay`, { key: institution.apiKey, body: {} }));
    await Promise.all([chunk('rpl_beside'), ...singly]);
    expect(await sql('SELECT DISTINCT cycle FROM deliveries WHERE endpoint_id = $1', [endpointId])).toEqual([{ cycle: 2 }]);
  });

  it('of another institution finds no such endpoint', async () => {
    const [id = ''] = await seedDeadDeliveries(api, institution, endpointId, 1);
    const otherInstitution = await api.institution();
    expect(await chunk('rpl_foreign', undefined, otherInstitution.caller)).toMatchObject({ state: 'endpoint_inactive', replayed: 0 });
    expect(await statusOf(id)).toBe('dead');
  });
});
