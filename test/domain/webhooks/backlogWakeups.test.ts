import type { EndpointEntity } from '../../../db/entities/endpoint';
import type { Transaction } from '../../../domain/context';
import { approveInstitution, suspendInstitution } from '../../../domain/institutions/changeStatus';
import { transact } from '../../../domain/transact';
import { deleteEndpoint } from '../../../domain/webhooks/deleteEndpoint';
import { reconcileDeliveries } from '../../../domain/webhooks/reconcileDeliveries';
import { updateEndpoint } from '../../../domain/webhooks/updateEndpoint';
import { circuitOf, countDeliveriesByState } from '../../support/circuits';
import { seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { apiFixture } from '../../support/apiFixture';
import type { StoredDelivery } from '../../support/deliveries';

const minute = 60_000;
const hour = 60 * minute;
const now = new Date();
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const later = (ms: number): Date => new Date(now.getTime() + ms);

const { api, institution, sql } = apiFixture();

const seed = (fields: Partial<EndpointEntity> = {}): Promise<string> => seedEndpoint(api, institution, 'https://receiver.example/hook', { createdAt: ago(9 * hour), ...fields });
const deliver = (id: string, fields: Partial<StoredDelivery>): Promise<string> => seedDelivery(api, institution, id, { createdAt: ago(hour), deadlineAt: later(11 * hour), ...fields });
const command = (work: (tx: Transaction) => Promise<unknown>): Promise<unknown> => transact<unknown>(api.api.domain, { institutionId: institution.id, now }, work);
const waiters = (id: string) => countDeliveriesByState(api.api.domain.database.sql, id);

const failed = { attempts: 1, scheduleStep: 1, firstAttemptAt: ago(hour) } as const;
const failing = { circuit: 'open', circuitOpenedAt: ago(2 * hour), probeAt: later(4 * minute), failingSince: ago(2 * hour), consecutiveFailures: 20 } as const;
const held = { status: 'held', heldAt: ago(hour) } as const;

/** Pauses an endpoint that has nothing to hold yet. */
const pauseSince = (id: string, since: Date) => transact(api.api.domain, { institutionId: institution.id, now: since }, (tx) => updateEndpoint(tx, id, { status: 'paused' }));

/** Has the third backlog of an endpoint sleep for hours. */
const sleep = (id: string) => sql('UPDATE webhook_endpoints SET backlog_open = true, backlog_run = 3, backlog_look_at = $2 WHERE id = $1', [id, later(5 * hour)]);

/** The outbox rows about an endpoint's backlogs. */
async function outboxRowsOf(id: string): Promise<{ kind: string; name: string; workflow_id: string }[]> {
  return sql("SELECT kind, name, workflow_id FROM owed_workflows WHERE workflow_id LIKE $1 || ':%' AND name IN ('look', 'endpointBacklog') ORDER BY seq", [id]);
}

/** Fails unless the sleeping backlog is signalled to look, and its next look is now: the same run, not a replacement. */
async function expectWoken(id: string): Promise<void> {
  expect(await outboxRowsOf(id)).toContainEqual({ kind: 'signal', name: 'look', workflow_id: `${id}:3` });
  expect((await outboxRowsOf(id)).filter(({ kind }) => kind === 'start')).toEqual([]);
  const [row] = await sql<{ backlog_open: boolean; backlog_run: number; backlog_look_at: Date }>('SELECT backlog_open, backlog_run, backlog_look_at FROM webhook_endpoints WHERE id = $1', [id]);
  expect(row).toMatchObject({ backlog_open: true, backlog_run: 3 });
  // By the caller's clock or by that of Postgres: the two are one machine's, and the tests are under way for less than that.
  expect(Math.abs((row?.backlog_look_at.getTime() ?? 0) - now.getTime())).toBeLessThan(minute);
}

describe('a backlog that sleeps for hours is woken', () => {
  it('by the sweep that hands a delivery over to it, because its workflow is lost', async () => {
    const id = await seed();
    await deliver(id, { ...failed, status: 'retrying', retriedBy: 'backlog', nextAttemptAt: later(5 * hour) });
    await deliver(id, { ...failed, status: 'retrying', retriedBy: 'workflow', nextAttemptAt: ago(16 * minute) });
    await sleep(id);
    await reconcileDeliveries(api.api.domain, now);
    expect(await waiters(id)).toEqual({ 'retrying by backlog': 2 });
    await expectWoken(id);
  });

  it('by the resume of an endpoint whose circuit is open', async () => {
    const id = await seed(failing);
    await pauseSince(id, ago(hour));
    await deliver(id, held);
    await sleep(id);
    await command((tx) => updateEndpoint(tx, id, { status: 'active' }));
    expect(await circuitOf(api.api.domain.database.sql, id)).toMatchObject({ status: 'active', circuit: 'open', probe_at: now });
    await expectWoken(id);
  });

  it('by the deletion of its endpoint', async () => {
    const id = await seed();
    await deliver(id, { ...failed, status: 'retrying', retriedBy: 'backlog', nextAttemptAt: later(5 * hour) });
    await sleep(id);
    await command((tx) => deleteEndpoint(tx, id));
    expect(await waiters(id)).toEqual({ cancelled: 1 });
    await expectWoken(id);
  });

  it('by the approval of its institution, each of several', async () => {
    const [id, other] = [await seed(), await seed(failing)];
    for (const endpointId of [id, other]) {
      await deliver(endpointId, held);
      await sleep(endpointId);
    }
    await transact(api.api.domain, { institutionId: institution.id, now: ago(hour) }, suspendInstitution);
    await command(approveInstitution);
    expect([await waiters(id), await waiters(other)]).toEqual([{ pending: 1 }, { held: 1 }]);
    await expectWoken(id);
    await expectWoken(other);
  });
});

describe('a backlog that was opened a moment ago and has not looked', () => {
  const run = async (id: string): Promise<{ backlog_open: boolean; backlog_run: number }> => {
    const { backlog_open, backlog_run } = await circuitOf(api.api.domain.database.sql, id);
    return { backlog_open, backlog_run };
  };

  it.each([
    ['held for an hour', 'paused', held],
    ['whose workflow is lost for 40 minutes', 'active', { ...failed, status: 'retrying', retriedBy: 'workflow', nextAttemptAt: ago(40 * minute) }],
    ['of a backlog of which nothing is left, due for 40 minutes', 'active', { ...failed, status: 'retrying', retriedBy: 'backlog', nextAttemptAt: ago(40 * minute) }],
  ] as const)('is not replaced by the sweep for a delivery %s, also when the outbox row was relayed; after a quarter of an hour it is', async (_which, status, delivery) => {
    const id = await seed();
    if (status === 'paused') await pauseSince(id, ago(hour));
    await deliver(id, delivery);
    await reconcileDeliveries(api.api.domain, now);
    expect(await outboxRowsOf(id)).toEqual([{ kind: 'start', name: 'endpointBacklog', workflow_id: `${id}:1` }]);
    await reconcileDeliveries(api.api.domain, later(minute));
    expect(await run(id)).toEqual({ backlog_open: true, backlog_run: 1 });
    await sql('DELETE FROM owed_workflows WHERE workflow_id = $1', [`${id}:1`]);
    for (const minutes of [1, 2, 14]) {
      await reconcileDeliveries(api.api.domain, later(minutes * minute));
      expect(await run(id)).toEqual({ backlog_open: true, backlog_run: 1 });
    }
    expect(await outboxRowsOf(id)).toEqual([]);
    await reconcileDeliveries(api.api.domain, later(17 * minute));
    expect(await run(id)).toEqual({ backlog_open: true, backlog_run: 2 });
  });
});
