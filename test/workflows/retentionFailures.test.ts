import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createRetentionActivities } from '../../activities/retention/retention';
import type { housekeeping } from '../../workflows/housekeeping';
import type { eventRetention } from '../../workflows/eventRetention';
import { serveHealth } from '../../worker/health';
import { createWorkerMetrics } from '../../worker/metrics';
import { withConnection } from '../../local/programs/postgres';
import { startTestApi, type TestApi } from '../support/api';
import { daysBefore } from '../support/time';
import { readMetrics } from '../support/metrics';
import { seedAuditLog } from '../support/seed/auditLog';
import { seedEvents } from '../support/seed/events';
import { timeSkippingEnvironment } from '../support/timeSkippingServer';
import { installTestRuntime } from '../support/temporalRuntime';

const taskQueue = 'retention';

let environment: TestWorkflowEnvironment;
let api: TestApi;
let worker: Worker;
let running: Promise<void>;
let server: Server;
const metrics = createWorkerMetrics();
const failedKinds: string[] = [];

beforeAll(async () => {
  // The failures are what the test is about.
  await installTestRuntime();
  api = await startTestApi();
  environment = await timeSkippingEnvironment();
  worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue,
    workflowBundle: { codePath: process.env.WORKFLOW_BUNDLE_PATH ?? '' },
    activities: createRetentionActivities(api.api.domain, (kind) => {
      failedKinds.push(kind);
      metrics.observePruneFailed(kind);
    }),
  });
  running = worker.run();
  server = createServer(serveHealth([], metrics.registry));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  worker.shutdown();
  await running;
  await environment.teardown();
  server.close();
  await api.stop();
});

/** The counters of housekeeping that are not 0, as a worker's /metrics shows them. */
async function countedFailures(): Promise<Record<string, number>> {
  const shown = await readMetrics((server.address() as AddressInfo).port);
  return Object.fromEntries([...shown].filter(([name, count]) => name.startsWith('housekeeping_failures_total') && count > 0));
}

const sql = (text: string, values: unknown[] = []) => api.api.domain.database.sql(text, values);

it('an institution that fails keeps none of the others from being processed; the pass ends as failed and says so', async () => {
  const [ownInstitution, otherInstitution, west] = [await api.institution(), await api.institution(), await api.institution()];
  for (const institution of [ownInstitution, otherInstitution, west]) await seedEvents(api, institution, { createdAt: daysBefore(new Date(), 31) });
  await withConnection(api.stack.ownerDatabaseUrl, async (client) => {
    await client.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
    await client.query(`CREATE TRIGGER refused BEFORE DELETE ON events FOR EACH ROW WHEN (old.institution_id = '${otherInstitution.id}') EXECUTE FUNCTION refuse()`);
  });

  const retention = await environment.client.workflow.start<typeof eventRetention>('eventRetention', { workflowId: 'retention', taskQueue, args: [] });
  await expect(retention.result()).rejects.toMatchObject({
    cause: {
      type: 'SweepIncomplete',
      message: expect.stringMatching(/^2 events older than 30 days at \S+ pruned in 2 institutions; 1 institution failed\.$/),
    },
  });
  const left = await sql("SELECT institution_id FROM events WHERE created_at < now() - interval '30 days'");
  expect(left).toEqual([{ institution_id: otherInstitution.id }]);
});

it('housekeeping goes on with the other kinds when one cannot be deleted; it ends as failed and says which, and each failure is reported', async () => {
  const institution = await api.institution();
  await seedAuditLog(api, institution, { at: daysBefore(new Date(), 432), count: 2 });
  await withConnection(api.stack.ownerDatabaseUrl, async (client) => {
    await client.query('ALTER TABLE sessions RENAME TO sessions_away');
  });
  const tidied = await environment.client.workflow.start<typeof housekeeping>('housekeeping', { workflowId: 'housekeeping', taskQueue, args: [] });
  await expect(tidied.result()).rejects.toMatchObject({
    cause: { type: 'SweepIncomplete', message: expect.stringMatching(/, 2 audit log entries, .*\. Not all deleted, to be retried by the next run: sessions\.$/) },
  });
  expect(failedKinds.length).toBeGreaterThan(3);
  expect(new Set(failedKinds)).toEqual(new Set(['sessions']));
  expect(await countedFailures()).toEqual({ 'housekeeping_failures_total{kind="sessions"}': failedKinds.length });
  await withConnection(api.stack.ownerDatabaseUrl, async (client) => {
    await client.query('ALTER TABLE sessions_away RENAME TO sessions');
  });
});
