import { institutionScope } from '../../../db/database';
import { inTransaction } from '../../../db/transaction';
import { releaseLapsedClaims } from '../../../db/repositories/webhooks/sending';
import { closeLostBacklogs, findFailing, findLastAnswered, findStuckEndpoints, handOverLost } from '../../../db/repositories/webhooks/stuckDeliveries';
import { transact } from '../../../domain/transact';
import { reconcileDeliveries } from '../../../domain/webhooks/reconcileDeliveries';
import { recoverChunk } from '../../../domain/webhooks/recoverChunk';
import { replayDeadChunk } from '../../../domain/webhooks/replayDeadChunk';
import { circuitOf, countDeliveriesByState } from '../../support/circuits';
import { apiFixture } from '../../support/apiFixture';
import { seedDeadDeliveries, seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint, endpointForEachTest } from '../../support/seed/endpoints';
import { deliveriesOf } from '../../support/deliveries';
import { withExplain } from '../../support/queryPlans';

const minute = 60_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);
const fixture = apiFixture();
const { api, institution } = fixture;
const endpoint = endpointForEachTest(fixture);

/** Runs `work` while somebody else holds a row. */
async function whileHeld<Result>(lock: string, id: string, work: () => Promise<Result>): Promise<Result> {
  return (await inTransaction(api.api.domain.database, institution.id, async (open) => {
    await open.sql(lock, [id]);
    return work();
  })).result;
}
const delivery = async (id: string) => (await deliveriesOf(api, endpoint.id)).get(id);
const endpointRow = 'SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE';
const seedRetrying = async (endpointId: string): Promise<string> =>
  seedDelivery(api, institution, endpointId, { status: 'retrying', attempts: 1, firstAttemptAt: ago(20 * minute), nextAttemptAt: ago(16 * minute), deadlineAt: new Date(Date.now() + 60 * minute) });

it('a lapsed claim that somebody holds keeps none of the others, and what has run out of its time ends', async () => {
  const lapsed = { claimedBy: 'a worker that is gone', claimedUntil: ago(minute) };
  const held = await endpoint.seedDelivery(lapsed);
  const other = await endpoint.seedDelivery(lapsed);
  const overdue = await endpoint.seedDelivery({ createdAt: ago(13 * 60 * minute), deadlineAt: ago(minute) });
  await whileHeld('SELECT 1 FROM open_deliveries WHERE id = $1 FOR NO KEY UPDATE', held, () => releaseLapsedClaims(api.api.domain.database.sql));
  expect(await delivery(other)).toMatchObject({ status: 'pending', claimedBy: null });
  expect(await delivery(overdue)).toMatchObject({ status: 'dead' });
  expect(await delivery(held)).toMatchObject({ claimedBy: lapsed.claimedBy });
  await releaseLapsedClaims(api.api.domain.database.sql);
  expect(await delivery(held)).toMatchObject({ claimedBy: null });
});

it('an endpoint that somebody holds keeps none of the others from being put right, and is put right afterwards', async () => {
  const { sql } = api.api.domain.database;
  const other = await seedEndpoint(api, institution, 'https://hooks.north.example/other');
  const lost = await seedEndpoint(api, institution, 'https://hooks.north.example/lost');
  for (const endpointId of [endpoint.id, other]) await seedRetrying(endpointId);
  await seedDelivery(api, institution, other, { status: 'held' });
  await seedDelivery(api, institution, endpoint.id, { status: 'held' });
  for (const id of [endpoint.id, lost]) {
    await sql("UPDATE webhook_endpoints SET backlog_open = true, backlog_run = 1, backlog_look_at = now() - interval '16 minutes' WHERE id = $1", [id]);
  }
  await whileHeld(endpointRow, endpoint.id, () => reconcileDeliveries(api.api.domain, new Date()).catch(() => undefined));
  expect(await countDeliveriesByState(sql, other)).toEqual({ pending: 1, 'retrying by backlog': 1 });
  expect(await circuitOf(sql, other)).toMatchObject({ backlog_open: true });
  expect(await circuitOf(sql, lost)).toMatchObject({ backlog_run: 2 });
  expect(await countDeliveriesByState(sql, endpoint.id)).toEqual({ held: 1, 'retrying by backlog': 1 });
  await reconcileDeliveries(api.api.domain, new Date());
  expect(await countDeliveriesByState(sql, endpoint.id)).toEqual({ pending: 1, 'retrying by backlog': 1 });
  expect(await circuitOf(sql, endpoint.id)).toMatchObject({ backlog_run: 2, backlog_open: true });
});

describe('a bulk replay', () => {
  const range = () => ({ endpointId: endpoint.id, since: new Date(0), until: new Date() });
  const beginning = { createdAt: new Date(0), id: '' };
  const replayDead = () => api.call('POST', `/webhooks/endpoints/${endpoint.id}/replay-dead`, { key: institution.apiKey, body: { since: '2026-01-01T00:00:00Z' } });

  it('that matches nothing is answered while somebody holds its endpoint: it counts before it locks', async () => {
    const { status, data } = await whileHeld(endpointRow, endpoint.id, replayDead);
    expect([status, data]).toEqual([200, { workflow_id: null, matched: 0 }]);
  });

  it('shares its endpoint with statements that only need it unchanged, the fan-out among them', async () => {
    await seedDeadDeliveries(api, institution, endpoint.id, 2);
    const other = await transact({ ...api.api.domain, onCommitted: () => undefined }, institution.caller, async (tx) => {
      await replayDeadChunk(tx, 'rpl_shared', range(), beginning, 0);
      return api.api.domain.database.sql('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR SHARE NOWAIT', [endpoint.id]);
    });
    expect(other).toHaveLength(1);
  });

  it('reports its progress without counting what it has replayed before', async () => {
    await seedDeadDeliveries(api, institution, endpoint.id, 501);
    const counts: number[] = [];
    const chunk = (place = beginning, before?: number) =>
      transact({ ...api.api.domain, onCommitted: () => undefined }, institution.caller, async (tx) => {
        const seen: string[] = [];
        const sql: typeof tx.sql = (query, values) => {
          seen.push(typeof query === 'string' ? query : query.text);
          return tx.sql(query, values);
        };
        const progress = await replayDeadChunk({ ...tx, sql }, 'rpl_progress', range(), place, before);
        counts.push(seen.filter((text) => text.includes('count(*)::int AS done')).length);
        return progress;
      });
    const first = await chunk(beginning, 0);
    expect(first).toMatchObject({ state: 'more', replayed: 500 });
    expect(await chunk(first.place, first.replayed)).toMatchObject({ state: 'more', replayed: 501 });
    // A second try does not know what the first has done.
    expect(await chunk(first.place)).toMatchObject({ state: 'done', replayed: 501 });
    expect(counts).toEqual([0, 0, 1]);
  });
});

describe('a recovery', () => {
  it('that matches nothing is answered while somebody holds its endpoint: it counts before it locks', async () => {
    const body = { since: new Date().toISOString() };
    const { status, data } = await whileHeld(endpointRow, endpoint.id, () => api.call('POST', `/webhooks/endpoints/${endpoint.id}/recover`, { key: institution.apiKey, body }));
    expect([status, data]).toEqual([200, { workflow_id: null, matched: 0 }]);
  });

  it('shares its endpoint with statements that only need it unchanged, the fan-out among them', async () => {
    await fixture.sql('DELETE FROM event_queue WHERE institution_id = $1', [institution.id]);
    const other = await transact({ ...api.api.domain, onCommitted: () => undefined }, institution.caller, async (tx) => {
      expect(await recoverChunk(tx, 'rcv_shared', { endpointId: endpoint.id, until: new Date(), eventTypes: undefined }, new Date(0), 0)).toMatchObject({ state: 'more' });
      return api.api.domain.database.sql('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR SHARE NOWAIT', [endpoint.id]);
    });
    expect(other).toHaveLength(1);
  });
});

it('deleted endpoints are not looked at where nothing of theirs is open', async () => {
  await fixture.sql(
    `INSERT INTO webhook_endpoints (id, institution_id, url, events, status, secret_sealed, created_at, updated_at, deleted_at)
     SELECT 'we_gone_' || $1 || n, $1, 'https://gone.example', '{*}', 'active', 'x', now(), now(), now() FROM generate_series(1, 3000) n`,
    [institution.id],
  );
  await endpoint.seedDelivery({ status: 'held' });
  await fixture.sql('ANALYZE webhook_endpoints');
  const { scope, done } = withExplain(institutionScope(api.api.domain.database, institution.id));
  expect((await findStuckEndpoints(scope.sql)).map(({ id }) => id)).toContain(endpoint.id);
  await handOverLost(scope.sql, ago(15 * minute));
  await closeLostBacklogs(scope.sql, ago(15 * minute));
  await findFailing(scope.sql, ago(minute));
  await findLastAnswered(scope.sql, 410);
  expect(done).toHaveLength(5);
  for (const { scans } of done) expect(scans).not.toContain('webhook_endpoints: Seq Scan');
});
