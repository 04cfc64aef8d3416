import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { newId } from '../../domain/ids';
import { createWorkflowEngine, type TemporalConnection } from '../../outbound/temporal/engine';
import { eventually } from '../support/eventually';
import { stack, type TestStack } from '../support/stack';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { installTestRuntime } from '../support/temporalRuntime';

let testStack: TestStack;
let connection: NativeConnection;

beforeAll(async () => {
  await installTestRuntime();
  testStack = await stack();
  connection = await NativeConnection.connect({ address: testStack.temporalAddress });
});
afterAll(async () => {
  await closeTestTemporal();
  await connection.close();
  await testStack.stop();
});

const temporalOf = (taskQueue: string): TemporalConnection => openTestTemporal(testStack.settings({ taskQueue }));

/** Starts a workflow as the relay of the outbox does. */
async function start<Name extends keyof WorkflowArguments>(temporal: TemporalConnection, name: Name, workflowId: string, argument: WorkflowArguments[Name]): Promise<void> {
  expect(await createWorkflowEngine(temporal, 10_000).send({ kind: 'start', name, workflow_id: workflowId, argument, epochs: [], trace_context: null })).toBe('done');
}

/** Runs a worker of a task queue until `work` has resolved. */
async function withWorker(taskQueue: string, options: Partial<WorkerOptions>, work: () => Promise<unknown>): Promise<void> {
  const worker = await Worker.create({ connection, namespace: testStack.temporalNamespace, taskQueue, ...options });
  await worker.runUntil(work);
}

const workflows = { workflowBundle: { codePath: process.env.WORKFLOW_BUNDLE_PATH ?? '' } };
const oneActivityAtOnce = { maxConcurrentActivityTaskExecutions: 1, maxConcurrentActivityTaskPolls: 1 };

/** Resolves once that many activities of a task queue's workflows wait for a worker. */
const scheduled = (temporal: TemporalConnection, ids: readonly string[]): Promise<unknown> =>
  eventually('all activities wait', async () => {
    const open = await Promise.all(ids.map((id) => temporal.client.workflow.getHandle(id).describe()));
    return open.every(({ raw }) => raw.pendingActivities?.length === 1);
  });

it('with a backlog of one institution, the retries of another are not behind all of it', async () => {
  const taskQueue = `${testStack.taskQueue}-fair`;
  const temporal = temporalOf(taskQueue);
  const [large, small] = [newId('ins'), newId('ins')];
  const startRetry = async (institutionId: string): Promise<string> => {
    const deliveryId = newId('whd');
    await start(temporal, 'webhookDelivery', deliveryId, { deliveryId, institutionId, endpointId: newId('we'), eventType: 'student.created', cycle: 1 });
    return deliveryId;
  };
  const ids: string[] = [];
  for (let nth = 0; nth < 60; nth += 1) ids.push(await startRetry(large));
  for (let nth = 0; nth < 5; nth += 1) ids.push(await startRetry(small));
  await withWorker(taskQueue, workflows, () => scheduled(temporal, ids));
  const order: string[] = [];
  const readDeliveryPlan = async ({ institutionId }: { institutionId: string }) => {
    order.push(institutionId);
    return { state: 'ended', outcome: 'delivered', attempts: 1, lastResponseCode: 200, nextAttemptAtMs: 0, deadlineAtMs: 0, endpointId: '' };
  };
  await withWorker(taskQueue, { activities: { readDeliveryPlan }, ...oneActivityAtOnce }, () => eventually('all read', () => order.length === ids.length));
  expect(order.filter((id) => id === small)).toHaveLength(5);
  expect(order.lastIndexOf(small)).toBeLessThan(15);
});

it('where both wait, what institutions ask for in bulk goes before sweeps, and what is of one person before both', async () => {
  const taskQueue = `${testStack.taskQueue}-priorities`;
  const temporal = temporalOf(taskQueue);
  const institutionId = newId('ins');
  const ids: string[] = [];
  for (let nth = 0; nth < 10; nth += 1) {
    const sweep = `sweep-${newId('req')}`;
    await temporal.client.workflow.start('deliveryRetention', { workflowId: sweep, taskQueue, args: [] });
    ids.push(sweep);
  }
  for (let nth = 0; nth < 10; nth += 1) {
    const replayId = newId('rpl');
    await start(temporal, 'bulkReplay', replayId, { replayId, institutionId, endpointId: 'we_1', sinceMs: 0, untilMs: 1, matched: 1 });
    ids.push(replayId);
  }
  for (let nth = 0; nth < 10; nth += 1) {
    const batchId = newId('cpb');
    await start(temporal, 'couponBatchApproval', batchId, { institutionId, batchId });
    ids.push(batchId);
  }
  await withWorker(taskQueue, workflows, () => scheduled(temporal, ids));
  const order: string[] = [];
  const activities = {
    institutionsWithOldDeliveries: async () => {
      order.push('sweep');
      return [];
    },
    replayDead: async () => {
      order.push('bulk');
      return { state: 'done', replayed: 0, place: { createdAtMs: 0, id: '' } };
    },
    reviewCouponBatch: async () => {
      order.push('one');
      return { state: 'rejected', made: 0, total: 0, requestedAtMs: 0, expiresAtMs: 0 };
    },
  };
  await withWorker(taskQueue, { activities, ...oneActivityAtOnce }, () => eventually('all done', () => order.length === ids.length));
  // Temporal keeps to it closely, not exactly: a task may already be on its way to the worker.
  const before = (kind: string): number => order.slice(0, order.lastIndexOf(kind) + 1).filter((other) => other !== kind).length;
  expect(before('one')).toBeLessThanOrEqual(2);
  expect(before('bulk')).toBeLessThanOrEqual(12);
});
