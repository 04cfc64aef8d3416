import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import type { Readiness } from '../../lib/readiness';
import { freePort } from '../../local/ports';
import { serveHealth } from '../../worker/health';
import { passedOnMetrics, readSdkMetrics, sumOfSamples } from '../../worker/sdkMetrics';
import type { RunningWorker } from '../../worker/start';
import { onlyFailures } from '../../worker/workflowTasks';
import { apiFixture } from '../support/apiFixture';
import { eventually } from '../support/eventually';
import { inviteGuardian, newGuardianEmail } from '../support/guardians';
import { scrape } from '../support/metrics';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { startTestWorker, waitUntilPolling } from '../support/worker';

const fixture = apiFixture({ institutionPer: 'file' });
const { api } = fixture;
let worker: RunningWorker;

beforeAll(async () => {
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
});

afterAll(async () => {
  await worker.stop();
  await closeTestTemporal();
});

async function readyz(): Promise<{ code: number } & Readiness> {
  const response = await fetch(`http://127.0.0.1:${worker.port}/readyz`);
  const body: Readiness = JSON.parse(await response.text());
  return { code: response.status, ...body };
}

it('a worker whose workflow tasks fail, and of which none is completed, is unavailable until one is', async () => {
  const { client, taskQueue } = openTestTemporal(api.settings);
  const broken = await client.workflow.start('noSuchWorkflow', { taskQueue, workflowId: `broken-${fixture.institution.id}`, args: [] });
  const before = await eventually('an unavailable worker', async () => {
    const now = await readyz();
    return now.code === 503 && now;
  });
  expect(before).toEqual({ code: 503, status: 'unavailable', dependencies: { postgres: true, temporal: true, polling: true, workflow_tasks: false } });
  const [student = ''] = await fixture.createStudents(1);
  await inviteGuardian(api, fixture.institution, student, newGuardianEmail());
  await eventually('a ready worker', async () => (await readyz()).status === 'ready');
  await broken.terminate();
});

it("the listener of a worker passes on the SDK's metrics of its list, and no others", async () => {
  const text = await scrape(worker.port);
  const names = new Set([...text.matchAll(/^(temporal_\w+?)(?:_bucket|_sum|_count)?[{ ]/gm)].map(([, name]) => name));
  expect([...names].filter((name) => name === undefined || !passedOnMetrics.has(name))).toEqual([]);
  expect([...names]).toEqual(expect.arrayContaining(['temporal_workflow_task_schedule_to_start_latency_seconds', 'temporal_worker_task_slots_available', 'temporal_num_pollers']));
  expect(sumOfSamples(text, 'temporal_workflow_task_execution_failed_total')).toBeGreaterThan(0);
});

it("while the SDK's metrics cannot be read, all others are answered, and the failure is counted", async () => {
  const registry = new Registry();
  const metrics = readSdkMetrics(`127.0.0.1:${await freePort()}`, registry);
  const server = createServer(serveHealth([], registry, metrics.readPassedOn));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`);
  expect([response.status, sumOfSamples(await response.text(), 'sdk_metrics_failures_total')]).toEqual([200, 1]);
  await new Promise((resolve) => server.close(resolve));
});

it.each([
  ['none failed', [[0, 0, 5], [60_000, 0, 5]], false],
  ['some failed and none was completed', [[0, 1, 5], [60_000, 2, 5]], true],
  ['some failed and one was completed', [[0, 1, 5], [60_000, 2, 6]], false],
  ['the last failure is over a minute old', [[0, 1, 5], [5_000, 2, 5], [65_000, 2, 5]], false],
  ['a failure follows on the last completed one of more than a minute ago', [[0, 1, 5], [5_000, 1, 6], [70_000, 2, 6]], true],
])('where %s, tasks only fail: %s', (_what, rows, fails) => {
  expect(onlyFailures(rows.map(([atMs = 0, failed = 0, completed = 0]) => ({ atMs, failed, completed })))).toBe(fails);
});
