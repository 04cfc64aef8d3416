import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Domain, Transaction } from '../../domain/context';
import { transact } from '../../domain/transact';
import { createMailer, type Mailer } from '../../outbound/mail/mailer';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { createWorkerMetrics, type WorkerMetrics } from '../../worker/metrics';
import type { RunningWorker } from '../../worker/start';
import { archivesQueue, emailsQueue, erasuresQueue, webhooksQueue } from '../../workflows/contract';
import { systemCaller } from './api';
import { apiFixture, type ApiFixture } from './apiFixture';
import { startReceiver, type Receiver } from './receiver';
import { startStubMailServer, type StubMailServer } from './stubMailServer';
import { closeTestTemporal, openTestTemporal } from './temporal';
import { timeSkippingEnvironment } from './timeSkippingServer';
import { startTestWorker, waitUntilPolling } from './worker';
import { installTestRuntime } from './temporalRuntime';

/** An API and a worker as in production, with a new institution for each test. */
export interface WorkflowFixture extends ApiFixture {
  readonly temporal: TemporalConnection;
  /** Webhooks may go to it; before each test it has received nothing and answers 200. */
  readonly receiver: Receiver;
}

/** Workflows whose timers take no time, with a new institution for each test. */
export interface TimeSkippingFixture extends ApiFixture {
  readonly environment: TestWorkflowEnvironment;
  /** Webhooks may go to it; before each test it has received nothing and answers 200. */
  readonly receiver: Receiver;
  /** Before each test it has accepted nothing, and accepts everything. */
  readonly mailServer: StubMailServer;
  /** The time of the workflows. */
  now(): Promise<Date>;
  /** Runs a command of the institution at that time. */
  command<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Sets an invitation to be sent now, by that time, and to expire after that many days. */
  setInvitedNow(table: 'guardian_links' | 'developers', id: string, days: number): Promise<void>;
  /** The Message-IDs of the emails to an address, in order. */
  messageIdsTo(address: string): string[];
}

/** The dependencies of activities. */
export interface ActivityDeps {
  domain: Domain;
  client: WebhookClient;
  mailer: Mailer;
  metrics: WorkerMetrics;
}

interface TimeSkippingOptions {
  time: 'skipping';
  taskQueue: string;
  /** The activities of the workers of all queues. */
  activities: (deps: ActivityDeps) => object;
}

const dayMs = 24 * 3_600_000;
const idColumns = { guardian_links: 'id', developers: 'user_id' } as const;

/** Starts an API, workers and a receiver for the tests of the calling file: in real time, or on Temporal's time-skipping server. */
export function workflowFixture(): WorkflowFixture;
export function workflowFixture(options: TimeSkippingOptions): TimeSkippingFixture;
export function workflowFixture(options?: TimeSkippingOptions): WorkflowFixture | TimeSkippingFixture {
  return options === undefined ? realTimeFixture() : timeSkippingFixture(options);
}

function realTimeFixture(): WorkflowFixture {
  let temporal: TemporalConnection;
  let receiver: Receiver;
  let worker: RunningWorker;

  // Hooks run in the order in which they are written: the receiver starts before the API and closes after it.
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await closeTestTemporal();
    await worker.stop();
  });
  const fixture = apiFixture({ settings: () => ({ webhookTrustedHosts: [receiver.host] }) });
  beforeAll(async () => {
    temporal = openTestTemporal(fixture.api.settings);
    worker = await startTestWorker(fixture.api.settings);
    await waitUntilPolling(worker);
  });
  beforeEach(() => reset(receiver));
  afterAll(() => receiver.close());

  return {
    ...fixture,
    get temporal() {
      return temporal;
    },
    get receiver() {
      return receiver;
    },
  };
}

function timeSkippingFixture({ taskQueue, activities }: TimeSkippingOptions): TimeSkippingFixture {
  let environment: TestWorkflowEnvironment;
  let receiver: Receiver;
  let mailServer: StubMailServer;
  let mailer: Mailer;
  let client: WebhookClient;
  let workers: Worker[];
  let running: Promise<void>[];

  // The same order as in real time.
  beforeAll(async () => {
    // Hundreds of attempts fail while a mail server is unreachable for days.
    await installTestRuntime();
    [receiver, mailServer] = await Promise.all([startReceiver(), startStubMailServer()]);
    mailer = createMailer({ smtpUrl: mailServer.url, from: 'North School <no-reply@north.example>' });
    client = createWebhookClient({ trustedHosts: [receiver.host] });
  });
  afterAll(async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
    await environment.teardown();
    await client.close();
  });
  const fixture = apiFixture({ settings: () => ({ webhookTrustedHosts: [receiver.host] }) });
  const { api, institution, sql } = fixture;
  beforeAll(async () => {
    environment = await timeSkippingEnvironment();
    const workerOptions = {
      connection: environment.nativeConnection,
      activities: activities({ domain: api.api.domain, client, mailer, metrics: createWorkerMetrics() }),
    };
    workers = [
      await Worker.create({ ...workerOptions, taskQueue, workflowBundle: { codePath: process.env.WORKFLOW_BUNDLE_PATH ?? '' } }),
      await Worker.create({ ...workerOptions, taskQueue: emailsQueue(taskQueue) }),
      await Worker.create({ ...workerOptions, taskQueue: webhooksQueue(taskQueue) }),
      await Worker.create({ ...workerOptions, taskQueue: archivesQueue(taskQueue) }),
      await Worker.create({ ...workerOptions, taskQueue: erasuresQueue(taskQueue) }),
    ];
    running = workers.map((worker) => worker.run());
  });
  beforeEach(() => {
    reset(receiver);
    mailServer.replyCode = () => 250;
    mailServer.accepted.length = 0;
  });
  afterAll(async () => {
    await mailer.close();
    await mailServer.close();
    await receiver.close();
  });

  const now = async (): Promise<Date> => new Date(await environment.currentTimeMs());
  return {
    ...fixture,
    get environment() {
      return environment;
    },
    get receiver() {
      return receiver;
    },
    get mailServer() {
      return mailServer;
    },
    now,
    command: async (work) => transact(api.api.domain, systemCaller(institution.id, await now()), work),
    setInvitedNow: async (table, id, days) => {
      const at = await now();
      await sql(`UPDATE ${table} SET invited_at = $2, expires_at = $3 WHERE ${idColumns[table]} = $1`, [id, at, new Date(at.getTime() + days * dayMs)]);
    },
    messageIdsTo: (address) => mailServer.accepted.filter(({ to }) => to === address).map(({ messageId }) => messageId),
  };
}

function reset(receiver: Receiver): void {
  receiver.received.length = 0;
  receiver.respond = () => 200;
}
