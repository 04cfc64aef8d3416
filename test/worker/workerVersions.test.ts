import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { WorkflowHandle } from '@temporalio/client';
import type { Settings } from '../../config/settings';
import { decideBatch } from '../../domain/coupons/decideBatch';
import { newId } from '../../domain/ids';
import { transact } from '../../domain/transact';
import { projectRoot } from '../../local/projectRoot';
import { readTaskQueues } from '../../outbound/temporal/taskQueueStates';
import { workerVersions } from '../../outbound/temporal/workerVersions';
import { promote, ramp, rollback, status, type DeployDeps } from '../../worker/deploy/commands';
import type { RunningWorker } from '../../worker/start';
import { systemCaller } from '../support/api';
import { apiFixture } from '../support/apiFixture';
import { eventually } from '../support/eventually';
import { withLockedRows } from '../support/lockedRows';
import { environmentOf } from '../support/programs';
import { seedCouponBatch } from '../support/seed/coupons';
import { seedEndpoint } from '../support/seed/endpoints';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { useVersionedBundle } from '../support/versionedBundle';
import { startTestWorker, waitUntilPolling } from '../support/worker';

const { api, institution } = apiFixture({ institutionPer: 'file' });
const workers: RunningWorker[] = [];
let temporal: ReturnType<typeof openTestTemporal>;
let removeBundle: () => void;

beforeAll(async () => {
  removeBundle = await useVersionedBundle();
  temporal = openTestTemporal(api.settings);
});
afterAll(async () => {
  await closeTestTemporal();
  await Promise.all(workers.map((worker) => worker.stop()));
  removeBundle();
});

const settingsOf = (buildId: string): Settings => ({ ...api.settings, workerDeployment: { deploymentName: api.settings.taskQueue, buildId } });

/** What an operator's commands of that release have. */
const deps = (buildId: string, withinMs = 60_000): DeployDeps => ({
  deploymentName: api.settings.taskQueue, buildId, taskQueue: api.settings.taskQueue, withinMs, versions: workerVersions(temporal, api.settings.taskQueue),
});

async function startWorkers(settings: Settings): Promise<void> {
  const worker = await startTestWorker(settings);
  workers.push(worker);
  await waitUntilPolling(worker);
}

const startVersion = (buildId: string): Promise<void> => startWorkers(settingsOf(buildId));

const start = (type: string, workflowId: string, argument: object): Promise<WorkflowHandle> =>
  temporal.client.workflow.start(type, { workflowId, taskQueue: api.settings.taskQueue, args: [argument] });

const startReplay = (endpointId: string): Promise<WorkflowHandle> => {
  const replayId = newId('rpl');
  return start('bulkReplay', replayId, { replayId, institutionId: institution.id, endpointId, sinceMs: 0, untilMs: Date.now(), matched: 0 });
};

/** The build ids of the workers that had tasks of a workflow, each once, in their order. */
async function buildIdsOf(workflow: Pick<WorkflowHandle, 'fetchHistory'>): Promise<string[]> {
  const { events } = await workflow.fetchHistory();
  const found = (events ?? []).map((event) => event.workflowTaskCompletedEventAttributes?.deploymentVersion?.buildId);
  return [...new Set(found.filter((buildId) => buildId != null))];
}

/** Starts an approval that waits for its decision. */
async function startApproval(): Promise<{ approval: WorkflowHandle; reject: () => Promise<unknown> }> {
  const batchId = await seedCouponBatch(api, institution);
  const approval = await start('couponBatchApproval', batchId, { batchId, institutionId: institution.id });
  await eventually('the approval waits', async () => (await approval.fetchHistory()).events?.some(({ timerStartedEventAttributes }) => timerStartedEventAttributes != null));
  return { approval, reject: () => transact(api.api.domain, systemCaller(institution.id), (tx) => decideBatch(tx, batchId, 'rejected', null)) };
}

/** Resolves once new workflows go to this version, or to workers without one: routing reaches all parts of Temporal a moment after the command. */
const newWorkflowsGoTo = (buildId?: string): Promise<unknown> =>
  eventually(`a new workflow on ${buildId ?? 'no version'}`, async () => {
    const replay = await startReplay('we_unknown');
    await replay.result();
    return (await buildIdsOf(replay))[0] === buildId;
  });

/** What waits on the first task queue for workflows of a version, which another may not take; and who takes what others may. */
async function expectOwnTasks(buildId: string, pollers: number): Promise<void> {
  const { taskQueue } = api.settings;
  const read = (laterMs = 0) => readTaskQueues(temporal, taskQueue, Date.now() + laterMs);
  const own = { taskQueue, taskType: 'workflow', buildId, tasks: 0, ageSeconds: 0, pollers };
  const all = await eventually('the version', async () => {
    const found = await read();
    return found.some((state) => state.buildId === buildId) && found;
  });
  expect(all).toContainEqual(own);
  expect(all).toContainEqual({ ...own, buildId: null, pollers: 1 });
  // Two minutes later a worker that runs would have polled again.
  expect(await read(120_000)).toContainEqual({ ...own, pollers: 0 });
}

const run = (args: readonly string[], environment: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, ['--require', './test/support/compileSource.js', 'worker/deployMain.ts', ...args], {
    cwd: projectRoot(),
    env: { PATH: process.env.PATH, ...environmentOf(settingsOf('1')), ...environment },
  });

const failure = (running: Promise<unknown>): Promise<unknown> => running.then(() => undefined, (error: unknown) => error);

it('a release cannot be promoted before its workers have registered, and the message says what to start', async () => {
  const { taskQueue } = api.settings;
  await expect(promote(deps('0', 0))).rejects.toThrow(`No worker of version 0 polls ${taskQueue}, ${taskQueue}-webhooks, ${taskQueue}-letters, ${taskQueue}-archives and ${taskQueue}-erasures: start the workers of this release with TEMPORAL_DEPLOYMENT_NAME=${taskQueue}, and look at their log.`);
  await expect(rollback(deps('0', 0))).rejects.toThrow(`No worker of the deployment ${taskQueue} has registered yet: there is nothing to roll back.`);
  expect(await status(deps('0'))).toBe(`Deployment ${taskQueue}; this release is 0.\nNo worker of the deployment has registered yet.\n`);
});

it('workers without a version have all workflows until the first promotion, and again once it is rolled back', async () => {
  await startWorkers(api.settings);
  const { approval, reject } = await startApproval();
  await startVersion('1');
  await eventually('the version has registered', async () => /^Current: workers without a version\nRamping: nothing\nWithout a version: 1 worker\n\n1 +inactive +1 worker /m.test(await status(deps('1'))));
  await newWorkflowsGoTo();
  await promote(deps('1'));
  await newWorkflowsGoTo('1');
  await reject();
  expect(await approval.result()).toMatchObject({ outcome: 'rejected' });
  expect(await buildIdsOf(approval)).toEqual(['1']);
  expect(await rollback(deps('1'))).toBe('New workflows, and those that may move, go to workers without a version again.\nKeep the workers of 1 until "npm run deploy -- status" says that it is drained.\n');
  await newWorkflowsGoTo();
});

it('an open workflow that works through rows ends with its version, one that waits continues with the promoted one, and new ones go to it', async () => {
  expect(await promote(deps('1'))).toBe('New workflows, and those that may move, go to 1.\nWorkers without a version may end.\n');
  expect(await promote(deps('1'))).toBe('1 is current already.\n');
  const endpointId = await seedEndpoint(api, institution, 'http://127.0.0.1:9');
  const { approval, reject } = await startApproval();
  const replay = await withLockedRows(api, 'SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [endpointId], async ({ waitForBlocked }) => {
    const open = await startReplay(endpointId);
    await waitForBlocked();
    await startVersion('2');
    expect(await promote(deps('2'))).toBe('New workflows, and those that may move, go to 2.\nKeep the workers of 1 until "npm run deploy -- status" says that it is drained.\n');
    await newWorkflowsGoTo('2');
    await expectOwnTasks('1', 1);
    await eventually('the status', async () => /^1 +draining +1 worker +1 open workflow of its own +1 that may move$/m.test(await status(deps('2'))));
    return open;
  });
  await replay.result();
  expect(await buildIdsOf(replay)).toEqual(['1']);
  await reject();
  expect(await approval.result()).toMatchObject({ outcome: 'rejected' });
  expect(await buildIdsOf(approval)).toEqual(['1', '2']);
});

it('status says what is current and what ramps, and which workers must stay', async () => {
  expect(await status(deps('2'))).toMatch(/^Deployment \S+; this release is 2\.\nCurrent: 2\nRamping: nothing\nWithout a version: 1 worker\n\n2 +current +1 worker +0 open workflows of its own +\d+ that may move\n1 +draining .+\nKeep the workers of 1: Temporal looks every few minutes whether it is drained\.\n$/);
});

it('a rollback leads to the version that was current before, and done again it changes nothing', async () => {
  expect(await rollback(deps('2'))).toBe('New workflows, and those that may move, go to 1 again.\nKeep the workers of 2 until "npm run deploy -- status" says that it is drained.\n');
  await newWorkflowsGoTo('1');
  await expect(rollback(deps('2'))).rejects.toThrow('2 is neither current nor ramping, so there is nothing to roll back: workflows go to 1. Run this with the release that is to be left.');
  await newWorkflowsGoTo('1');
});

it('a ramp sends its part of the workflows to the release, and a rollback ends it', async () => {
  expect(await ramp(deps('2'), 50)).toBe('50 % of the workflows go to 2, the others to 1.\n');
  expect(await status(deps('2'))).toContain('Ramping: 2, 50 % of the workflows\n');
  await newWorkflowsGoTo('2');
  await newWorkflowsGoTo('1');
  await expect(ramp(deps('1'), 50)).rejects.toThrow('1 is current already: all workflows go to it.');
  expect(await rollback(deps('2'))).toBe('2 ramps no more: all workflows that may move go to 1.\nKeep the workers of 2 until "npm run deploy -- status" says that it is drained.\n');
  expect(await status(deps('2'))).toContain('Current: 1\nRamping: nothing\n');
});

it('a rollback to a version without running workers is refused', async () => {
  await promote(deps('2'));
  await newWorkflowsGoTo('2');
  // Two minutes later: by then workers that run would have polled again.
  const later = { ...deps('2'), versions: workerVersions(temporal, api.settings.taskQueue, () => Date.now() + 120_000) };
  expect(await status(later)).toMatch(/^1 +draining +0 workers /m);
  await expect(rollback(later)).rejects.toThrow(`Before 2 workflows went to 1, and none of those workers polls ${api.settings.taskQueue}: start them first, then roll back again.`);
  expect(await status(deps('2'))).toContain('Current: 2\n');
});

it('a rollback leads to workers without a version where these had the workflows before, though another version was current earlier', async () => {
  const { versions } = deps('2');
  await versions.setCurrent(null);
  await newWorkflowsGoTo();
  await promote(deps('1'));
  expect(await rollback(deps('1'))).toMatch(/^New workflows, and those that may move, go to workers without a version again\.\n/);
  await promote(deps('2'));
  expect(await status(deps('2'))).toContain('Current: 2\n');
});

it('npm run deploy shows its usage and the status, and says in one sentence that workers have no version or that Temporal does not respond', async () => {
  expect((await run(['status'])).stdout).toMatch(/^Deployment .+; this release is 1\.\nCurrent: 2\n/);
  for (const args of [['ramp', '101'], ['promote', 'now']]) {
    expect(await failure(run(args))).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Usage: deploy status\|promote\|ramp <percent>\|rollback\n/) });
  }
  expect(await failure(run(['status'], { TEMPORAL_DEPLOYMENT_NAME: '' }))).toMatchObject({ code: 1, stderr: 'TEMPORAL_DEPLOYMENT_NAME is not set: workers have no version, and there is none to choose.\n' });
  expect(await failure(run(['status'], { TEMPORAL_ADDRESS: '127.0.0.1:9' }))).toMatchObject({ code: 1, stderr: 'Temporal does not respond at 127.0.0.1:9.\n' });
});
