import { createLogger } from '../../config/logger';
import { startOutboxRelay } from '../../worker/outbox/relay';
import type { RepeatingTask } from '../../lib/repeatingTask';
import { newId } from '../../domain/ids';
import { transact } from '../../domain/transact';
import { openTemporal, createWorkflowEngine, type TemporalConnection } from '../../outbound/temporal/engine';
import { systemCaller } from '../support/api';
import { eventually } from '../support/eventually';
import { startGrpcProxy, type GrpcProxy, type ProxiedCall } from '../support/grpcProxy';
import { apiFixture } from '../support/apiFixture';

/** A call that hangs does so for longer than the test goes on. */
const patient = 60_000;
/** More than are relayed at once. */
const others = 100;

const { api, institution } = apiFixture({ institutionPer: 'file' });
let proxy: GrpcProxy;
let temporal: TemporalConnection;
let relay: RepeatingTask | undefined;

beforeAll(async () => {
  const { temporalAddress: address, temporalNamespace: namespace, taskQueue } = api.settings;
  proxy = await startGrpcProxy(address);
  temporal = openTemporal({ address: proxy.address, namespace, taskQueue });
});

afterAll(async () => {
  await relay?.stop();
  await temporal.close();
  await proxy.close();
});

const about = (id: string) => ({ message }: ProxiedCall): boolean => message.includes(id);
const outboxRowsOf = (id: string) => api.api.domain.database.sql<{ kind: string }>('SELECT kind FROM owed_workflows WHERE workflow_id = $1 ORDER BY seq', [id]);

it('one call that Temporal does not answer delays the outbox rows of its own workflow, in order, and nothing else', async () => {
  const [slow, ...quick] = Array.from({ length: others + 1 }, () => newId('gdn')) as [string, ...string[]];
  proxy.hang = about(slow);
  await transact({ ...api.api.domain, onCommitted: () => undefined }, systemCaller(institution.id), (tx) => {
    for (const linkId of [slow, ...quick]) {
      tx.startWorkflow('guardianInvitation', linkId, { linkId, institutionId: institution.id, invitation: 1 });
      tx.signalWorkflow('look', linkId, {});
    }
    return Promise.resolve();
  });
  relay = startOutboxRelay(api.api.domain.database, createWorkflowEngine(temporal, patient), createLogger('worker', 'silent'));
  await eventually('everything relayed but the one', async () => {
    const [row] = await api.api.domain.database.sql<{ n: number }>("SELECT count(*)::int AS n FROM owed_workflows WHERE workflow_id <> $1 AND institution_id = $2", [slow, institution.id]);
    return row?.n === 0;
  });
  expect(proxy.calls.filter(about(slow)).map(({ method }) => method)).toEqual(['StartWorkflowExecution']);
  expect((await outboxRowsOf(slow)).map(({ kind }) => kind)).toEqual(['start', 'signal']);
  for (const id of quick) expect(proxy.calls.filter(about(id)).map(({ method }) => method)).toEqual(['StartWorkflowExecution', 'SignalWorkflowExecution']);
  proxy.release();
  await eventually('the slow one relayed too', async () => (await outboxRowsOf(slow)).length === 0);
  expect(proxy.calls.filter(about(slow)).map(({ method }) => method)).toEqual(['StartWorkflowExecution', 'SignalWorkflowExecution']);
});

describe('rows of the outbox', () => {
  const sql = <Row extends object>(text: string, values: unknown[]): Promise<Row[]> => api.api.domain.database.sql<Row>(text, values);
  const appendRows = (id: string, count: number): Promise<unknown> =>
    sql(
      `INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument) SELECT $1, 'signal', 'look', $2, jsonb_build_object('nth', n) FROM generate_series(1, $3::int) n`,
      [institution.id, id, count],
    );
  const begin = async (database = api.api.domain.database): Promise<void> => {
    await relay?.stop();
    relay = startOutboxRelay(database, createWorkflowEngine(temporal, patient), createLogger('worker', 'silent'));
  };

  afterEach(() => {
    jest.useRealTimers();
    proxy.release();
  });

  it('to one workflow many times goes out in order, a hundred with each look', async () => {
    const id = newId('gdn');
    await appendRows(id, 250);
    let looks = 0;
    const { database } = api.api.domain;
    await begin({
      ...database,
      sql: async <Row extends object>(query: Parameters<typeof database.sql>[0], values?: readonly unknown[]) => {
        const rows = await database.sql<Row>(query, values);
        if (typeof query !== 'string' && query.name === 'owed_claim' && rows.length > 0) looks += 1;
        return rows;
      },
    });
    await eventually('all told', async () => (await outboxRowsOf(id)).length === 0);
    expect(proxy.calls.filter(about(id)).map(({ message }) => Number(/"nth": ?(\d+)/.exec(message.toString('utf8'))?.[1]))).toEqual(Array.from({ length: 250 }, (_, n) => n + 1));
    expect(looks).toBeLessThan(10);
  });

  it.each([['ahead', 60_000], ['behind', -60_000]])('is claimed for as long by a machine whose clock is a minute %s', async (_where, ms) => {
    const id = newId('gdn');
    proxy.hang = about(id);
    await appendRows(id, 1);
    jest.useFakeTimers({
      now: Date.now() + ms,
      doNotFake: ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
    });
    await begin();
    await eventually('the call', () => proxy.calls.some(about(id)));
    const [lease] = await sql<{ seconds: number }>('SELECT extract(epoch FROM try_after - clock_timestamp())::float AS seconds FROM owed_workflows WHERE workflow_id = $1', [id]);
    expect(Math.abs(lease?.seconds ?? Infinity)).toBeLessThan(30);
  });
});
