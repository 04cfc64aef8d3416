import type { WorkerQueue } from '../../config/workerSlots';
import type { RunningWorker } from '../../worker/start';
import { emailsQueue, webhooksQueue } from '../../workflows/contract';
import { apiFixture } from '../support/apiFixture';
import { eventually } from '../support/eventually';
import { readMetrics } from '../support/metrics';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { startTestWorker, waitUntilPolling } from '../support/worker';

const { api, institution } = apiFixture({ institutionPer: 'file' });
const workers: RunningWorker[] = [];

afterAll(async () => {
  await closeTestTemporal();
  await Promise.all(workers.map((worker) => worker.stop()));
});

async function serve(queue: WorkerQueue): Promise<RunningWorker> {
  const { workerSlots } = api.settings;
  const worker = await startTestWorker({ ...api.settings, workerSlots: { ...workerSlots, queues: new Set([queue]) } }, { temporalLooksEveryMs: 200 });
  workers.push(worker);
  await waitUntilPolling(worker);
  return worker;
}

type Gauge = 'task_queue_backlog_tasks' | 'task_queue_backlog_age_seconds' | 'task_queue_pollers';

/** Returns a gauge of the activities of a task queue, as a worker shows it. */
async function gaugeOf({ port }: RunningWorker, name: Gauge, taskQueue: string): Promise<number | undefined> {
  return (await readMetrics(port)).get(`${name}{task_queue="${taskQueue}",task_type="activity",build_id=""}`);
}

it('a queue that nobody polls has no pollers, and its backlog grows older until somebody does', async () => {
  const { taskQueue } = api.settings;
  const emails = emailsQueue(taskQueue);
  const worker = await serve('workflows');
  await eventually('the gauges', async () => (await gaugeOf(worker, 'task_queue_pollers', taskQueue)) === 1);
  expect([await gaugeOf(worker, 'task_queue_pollers', emails), await gaugeOf(worker, 'task_queue_pollers', webhooksQueue(taskQueue))]).toEqual([0, 0]);
  expect(await gaugeOf(worker, 'task_queue_backlog_tasks', emails)).toBe(0);

  const notice = await openTestTemporal(api.settings).client.workflow.start('endpointDisabledNotice', {
    taskQueue, workflowId: `notice-${institution.id}`, args: [{ endpointId: 'we_none', institutionId: institution.id }],
  });
  await eventually('the email in the backlog', async () => (await gaugeOf(worker, 'task_queue_backlog_tasks', emails)) === 1);
  const age = await eventually('its age', () => gaugeOf(worker, 'task_queue_backlog_age_seconds', emails));
  await eventually('a greater age', async () => ((await gaugeOf(worker, 'task_queue_backlog_age_seconds', emails)) ?? 0) > age + 1);

  await serve('emails');
  await notice.result();
  await eventually('the poller', async () => (await gaugeOf(worker, 'task_queue_pollers', emails)) === 1);
  await eventually('an empty backlog', async () => (await gaugeOf(worker, 'task_queue_backlog_tasks', emails)) === 0);
  expect(await gaugeOf(worker, 'task_queue_backlog_age_seconds', emails)).toBe(0);
});
