import type { Logger } from '../config/logger';
import type { Settings } from '../config/settings';
import type { WorkerQueue } from '../config/workerSlots';
import { openGenericPlanPool } from '../db/genericPlanPool';
import { settingsSource } from '../db/sessionSettings';
import type { WorkKind } from '../db/wakeups';
import type { Domain } from '../domain/context';
import { settlesWithin } from '../lib/timeout';
import { createMailer } from '../outbound/mail/mailer';
import { createWorkflowEngine, type TemporalConnection } from '../outbound/temporal/engine';
import type { WebhookClient } from '../outbound/webhooks/webhookClient';
import { startAbandonedBatchLoop } from './abandonedBatches';
import type { WorkerMetrics } from './metrics';
import { startOutboxRelay } from './outbox/relay';
import { startSender } from './sender/sender';
import { startCodeEmailSender } from './signIn/codeEmailSender';

/** The sender's loops and writers run concurrently, each on a connection of its own. */
const senderConnections = 8;

/** The loops of a worker process, which look for work in Postgres. */
export interface Loops {
  /** Wakes the loops of this process for these kinds of work; returns the kinds that other processes do. */
  wake(work: readonly WorkKind[]): WorkKind[];
  /** Waits at most `timeoutMs` for what is in progress. */
  stop(timeoutMs: number): Promise<void>;
  /** Closes what the loops had open; call it once they have stopped. */
  close(): Promise<void>;
}

/** What the loops need of their process. */
export interface LoopDeps {
  domain: Domain;
  temporal: TemporalConnection;
  client: WebhookClient;
  metrics: WorkerMetrics;
  logger: Logger;
  onConnectionLost: (error: Error) => void;
}

type LoopsOfQueue = Pick<Loops, 'stop' | 'close'> & { wakes: Partial<Record<WorkKind, () => void>> };

function startWorkflowLoops({ domain, temporal, logger }: LoopDeps): LoopsOfQueue {
  const relay = startOutboxRelay(domain.database, createWorkflowEngine(temporal), logger);
  const abandonedBatches = startAbandonedBatchLoop(domain, logger);
  return {
    wakes: { workflows: relay.wake },
    stop: async () => {
      await Promise.all([relay.stop(), abandonedBatches.stop()]);
    },
    close: async () => undefined,
  };
}

function startAttemptLoops(settings: Settings, { domain, client, metrics, logger, onConnectionLost }: LoopDeps): LoopsOfQueue {
  const pool = openGenericPlanPool(settings.databaseUrl, senderConnections, onConnectionLost, settingsSource(settings));
  const sender = startSender({ domain, sql: pool.sql, client, logger, metrics, onOutboxAppended: () => domain.onCommitted(['workflows']) });
  return {
    wakes: { events: sender.wakeForEvents, deliveries: sender.wakeForDeliveries },
    stop: sender.stop,
    close: pool.close,
  };
}

function startEmailLoops(settings: Settings, { domain, metrics, logger }: LoopDeps): LoopsOfQueue {
  const mailer = createMailer({ smtpUrl: settings.smtpUrl, requireTls: settings.smtpRequireTls, from: settings.mailFrom });
  const codeEmails = startCodeEmailSender(domain, mailer, logger, metrics);
  return {
    wakes: { emails: codeEmails.wake },
    stop: codeEmails.stop,
    // Emails have already had the timeout of `stop`.
    close: async () => {
      await settlesWithin(0, mailer.close());
    },
  };
}

/**
 * Starts the loops of what the process serves: the relay of the workflow outbox and the end of abandoned batches with the workflows, the
 * sender with the attempts, sign-in codes with the emails.
 */
export function startLoops(settings: Settings, deps: LoopDeps): Loops {
  const starts: Record<WorkerQueue, () => LoopsOfQueue> = {
    workflows: () => startWorkflowLoops(deps),
    attempts: () => startAttemptLoops(settings, deps),
    emails: () => startEmailLoops(settings, deps),
  };
  const running = [...settings.workerSlots.queues].map((queue) => starts[queue]());
  const wakes = running.reduce<LoopsOfQueue['wakes']>((all, loops) => ({ ...all, ...loops.wakes }), {});
  return {
    wake: (work) => {
      for (const kind of work) wakes[kind]?.();
      return work.filter((kind) => wakes[kind] === undefined);
    },
    stop: async (timeoutMs) => {
      await Promise.all(running.map((loops) => loops.stop(timeoutMs)));
    },
    close: async () => {
      await Promise.all(running.map((loops) => loops.close()));
    },
  };
}
