import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createWorkerMetrics, type WorkerMetrics } from '../../worker/metrics';
import type { Domain } from '../../domain/context';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { emailsQueue, webhooksQueue } from '../../workflows/contract';
import { startTestApi, type TestApi } from './api';
import { startReceiver, type Receiver } from './receiver';
import { timeSkippingEnvironment } from './timeSkippingServer';

/** Workflows whose waiting takes no time, and a receiver for what they send; before each test it has received nothing, and answers 500. */
export interface TimeSkippingFixture {
  readonly environment: TestWorkflowEnvironment;
  readonly api: TestApi;
  readonly receiver: Receiver;
}

/** What activities that send are made with. */
interface ActivityDeps {
  domain: Domain;
  client: WebhookClient;
  metrics: WorkerMetrics;
}

/** Starts a time-skipping server and workers with these activities, of all queues, for the tests of the file that calls it. */
export function timeSkippingFixture(taskQueue: string, activitiesWith: (means: ActivityDeps) => object): TimeSkippingFixture {
  let environment: TestWorkflowEnvironment;
  let api: TestApi;
  let receiver: Receiver;
  let client: WebhookClient;
  let workers: Worker[];
  let running: Promise<void>[];

  beforeAll(async () => {
    receiver = await startReceiver();
    api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
    client = createWebhookClient({ trustedHosts: [receiver.host] });
    environment = await timeSkippingEnvironment();
    const workerOptions = {
      connection: environment.nativeConnection,
      activities: activitiesWith({ domain: api.api.domain, client, metrics: createWorkerMetrics() }),
    };
    workers = [
      await Worker.create({ ...workerOptions, taskQueue, workflowBundle: { codePath: process.env.WORKFLOW_BUNDLE_PATH ?? '' } }),
      await Worker.create({ ...workerOptions, taskQueue: emailsQueue(taskQueue) }),
      await Worker.create({ ...workerOptions, taskQueue: webhooksQueue(taskQueue) }),
    ];
    running = workers.map((worker) => worker.run());
  });

  beforeEach(() => {
    receiver.received.length = 0;
    receiver.respond = () => 500;
  });

  afterAll(async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
    await environment.teardown();
    await client.close();
    await api.stop();
    await receiver.close();
  });

  return {
    get environment() {
      return environment;
    },
    get api() {
      return api;
    },
    get receiver() {
      return receiver;
    },
  };
}
