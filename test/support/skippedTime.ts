import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createWorkerMetrics, type WorkerMetrics } from '../../activities/metrics';
import type { Domain } from '../../domain/context';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { startTestApi, type TestApi } from './api';
import { startReceiver, type Receiver } from './receiver';
import { timeSkippingEnvironment } from './stack';

/** Workflows whose waiting takes no time, and a receiver for what they send; before each test it has received nothing, and answers 500. */
export interface SkippedTime {
  readonly environment: TestWorkflowEnvironment;
  readonly api: TestApi;
  readonly receiver: Receiver;
}

/** What activities that send are made with. */
interface Means {
  domain: Domain;
  client: WebhookClient;
  metrics: WorkerMetrics;
}

/** Starts a time-skipping server and a worker with these activities for the tests of the file that calls it. */
export function skippedTime(taskQueue: string, activitiesWith: (means: Means) => object): SkippedTime {
  let environment: TestWorkflowEnvironment;
  let api: TestApi;
  let receiver: Receiver;
  let client: WebhookClient;
  let worker: Worker;
  let running: Promise<void>;

  beforeAll(async () => {
    receiver = await startReceiver();
    api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
    client = createWebhookClient({ trustedHosts: [receiver.host] });
    environment = await timeSkippingEnvironment();
    worker = await Worker.create({
      connection: environment.nativeConnection,
      taskQueue,
      workflowBundle: { codePath: process.env.WORKFLOW_BUNDLE_PATH ?? '' },
      activities: activitiesWith({ domain: api.api.domain, client, metrics: createWorkerMetrics() }),
    });
    running = worker.run();
  });

  beforeEach(() => {
    receiver.received.length = 0;
    receiver.answer = () => 500;
  });

  afterAll(async () => {
    worker.shutdown();
    await running;
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
