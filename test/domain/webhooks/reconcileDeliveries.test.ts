import { reconcileDeliveries } from '../../../domain/webhooks/reconcileDeliveries';
import type { EndpointEntity } from '../../../db/entities/endpoint';
import { InstitutionEntity } from '../../../db/entities/institution';
import { circuitOf, countDeliveriesByState } from '../../support/circuits';
import { deliveriesOf, type StoredDelivery } from '../../support/deliveries';
import { seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { apiFixture } from '../../support/apiFixture';

const minute = 60_000;
const url = 'https://receiver.example/hook';
const now = new Date();
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const later = new Date(now.getTime() + 60 * minute);

const { api, institution } = apiFixture();

const seed = (fields: Partial<EndpointEntity> = {}): Promise<string> => seedEndpoint(api, institution, url, fields);
const deliver = (endpointId: string, fields: Partial<StoredDelivery>): Promise<string> => seedDelivery(api, institution, endpointId, { deadlineAt: later, ...fields });
const reconcile = (): Promise<void> => reconcileDeliveries(api.api.domain, now);
const waiters = (id: string) => countDeliveriesByState(api.api.domain.database.sql, id);
const circuit = (id: string) => circuitOf(api.api.domain.database.sql, id);

/** Ids of the workflows whose start is in the outbox for this institution. */
async function pendingStarts(): Promise<string[]> {
  const rows = await api.api.domain.database.sql<{ workflow_id: string }>(
    "SELECT workflow_id FROM owed_workflows WHERE institution_id = $1 AND kind = 'start' ORDER BY seq",
    [institution.id],
  );
  return rows.map(({ workflow_id }) => workflow_id);
}

/** A paused endpoint whose third backlog runs and will look next, or has never looked. */
async function seedBacklog(lookAt: Date | null, openedAt = ago(30 * minute)): Promise<string> {
  const id = await seed(paused);
  await api.api.domain.database.sql('UPDATE webhook_endpoints SET backlog_open = true, backlog_run = 3, backlog_look_at = $2, backlog_opened_at = $3 WHERE id = $1', [id, lookAt, openedAt]);
  return id;
}

const paused = { status: 'paused', pausedAt: ago(minute) } as const;
const failing = { circuit: 'open', circuitOpenedAt: ago(minute), probeAt: later, failingSince: ago(minute) } as const;
const failed = { attempts: 1, scheduleStep: 1, firstAttemptAt: ago(minute) } as const;
const byWorkflow = { ...failed, status: 'retrying', retriedBy: 'workflow' } as const;
const byBacklog = { ...failed, status: 'retrying', retriedBy: 'backlog' } as const;

it('what is held though its endpoint takes deliveries goes to the sender', async () => {
  const id = await seed();
  await deliver(id, { status: 'held' });
  await reconcile();
  expect(await waiters(id)).toEqual({ pending: 1 });
  const [row] = (await deliveriesOf(api, id)).values();
  expect(row).toMatchObject({ heldAt: null, nextAttemptAt: null });
});

it.each([
  ['the endpoint is paused', paused, 'approved'],
  ['the circuit is open', failing, 'approved'],
  ['the institution is suspended', {}, 'suspended'],
] as const)('what waits for the sender though %s is held, and a backlog is started for it', async (_why, fields, status) => {
  const id = await seed(fields);
  await api.api.domain.database.manager.update(InstitutionEntity, { id: institution.id }, { status });
  await deliver(id, {});
  await deliver(id, { claimedBy: 'a sender', claimedUntil: later });
  await reconcile();
  expect(await waiters(id)).toEqual({ held: 1, pending: 1 });
  expect(await circuit(id)).toMatchObject({ backlog_open: true, backlog_run: 1 });
  expect(await pendingStarts()).toEqual([`${id}:1`]);
});

it.each([
  ['disabled', { status: 'disabled' }, 'dead'],
  ['deleted', { deletedAt: ago(minute) }, 'cancelled'],
] as const)('what is open at an endpoint that is %s ends', async (_what, fields, ending) => {
  const [id, other, third, fourth] = [await seed(fields), await seed(fields), await seed(fields), await seed(fields)];
  await deliver(id, {});
  await deliver(other, { status: 'held' });
  await deliver(third, { ...byBacklog, nextAttemptAt: later });
  await deliver(fourth, { ...byWorkflow, nextAttemptAt: ago(20 * minute) });
  await reconcile();
  for (const endpointId of [id, other, third, fourth]) expect(await waiters(endpointId)).toEqual({ [ending]: 1 });
});

it.each([
  ['held at a paused endpoint', paused, { status: 'held' }, { held: 1 }],
  ['retried by the backlog', {}, { ...byBacklog, nextAttemptAt: later }, { 'retrying by backlog': 1 }],
] as const)('what is %s without a backlog gets one', async (_what, endpoint, delivery, after) => {
  const id = await seed(endpoint);
  await deliver(id, delivery);
  await reconcile();
  expect(await waiters(id)).toEqual(after);
  expect(await circuit(id)).toMatchObject({ backlog_open: true, backlog_run: 1 });
  expect(await pendingStarts()).toEqual([`${id}:1`]);
});

describe('a backlog', () => {
  it('that should have looked more than 15 minutes ago is replaced, and one that is only a little late is not', async () => {
    const [id, other] = [await seedBacklog(ago(16 * minute)), await seedBacklog(ago(14 * minute))];
    for (const endpointId of [id, other]) await deliver(endpointId, { status: 'held', heldAt: ago(30 * minute) });
    await reconcile();
    expect(await circuit(id)).toMatchObject({ backlog_open: true, backlog_run: 4 });
    expect(await circuit(other)).toMatchObject({ backlog_open: true, backlog_run: 3 });
    expect(await pendingStarts()).toEqual([`${id}:4`]);
  });

  it('that never looked is replaced 15 minutes after it was opened, regardless of how long its deliveries have waited', async () => {
    const [id, other] = [await seedBacklog(null, ago(16 * minute)), await seedBacklog(null, ago(14 * minute))];
    for (const endpointId of [id, other]) await deliver(endpointId, { status: 'held', heldAt: ago(30 * minute) });
    await reconcile();
    expect(await circuit(id)).toMatchObject({ backlog_open: true, backlog_run: 4 });
    expect(await circuit(other)).toMatchObject({ backlog_open: true, backlog_run: 3 });
  });

  it('whose start is still in the outbox is left alone', async () => {
    const id = await seed(paused);
    await deliver(id, { status: 'held', heldAt: ago(16 * minute) });
    await reconcile();
    await reconcile();
    expect(await circuit(id)).toMatchObject({ backlog_open: true, backlog_run: 1 });
    expect(await pendingStarts()).toEqual([`${id}:1`]);
  });
});

it('a delivery whose own workflow is more than 15 minutes late is given to the backlog, and one that is in hands or only a little late is not', async () => {
  const id = await seed();
  const lost = await deliver(id, { ...byWorkflow, nextAttemptAt: ago(16 * minute) });
  await deliver(id, { ...byWorkflow, nextAttemptAt: ago(14 * minute) });
  await deliver(id, { ...byWorkflow, nextAttemptAt: ago(16 * minute), claimedBy: 'a workflow', claimedUntil: later });
  await reconcile();
  expect(await waiters(id)).toEqual({ 'retrying by workflow': 2, 'retrying by backlog': 1 });
  expect((await deliveriesOf(api, id)).get(lost)?.retriedBy).toBe('backlog');
  expect(await circuit(id)).toMatchObject({ backlog_open: true, backlog_run: 1 });
  expect(await pendingStarts()).toEqual([`${id}:1`]);
});

it('what stands as it should is left alone', async () => {
  const [active, pausedEndpoint] = [await seed(), await seedBacklog(later)];
  await deliver(active, {});
  await deliver(active, { ...byWorkflow, nextAttemptAt: later });
  await deliver(pausedEndpoint, { status: 'held', heldAt: ago(minute) });
  const before = await Promise.all([active, pausedEndpoint].map((id) => deliveriesOf(api, id)));
  await reconcile();
  expect(await Promise.all([active, pausedEndpoint].map((id) => deliveriesOf(api, id)))).toEqual(before);
  expect(await pendingStarts()).toEqual([]);
});
