import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '../config/logger';
import { readSettings } from '../config/settings';
import { startOutboxRelay } from '../worker/outbox/relay';
import { newId } from '../domain/ids';
import type { WorkflowEngine } from '../domain/outbox/workflowEngine';
import { transact } from '../domain/transact';
import { openTemporal, createWorkflowEngine } from '../outbound/temporal/engine';
import type { BenchEnvironment } from './environment';

const rows = 3_000;
const perTransaction = 100;
/** Concurrent calls of the comparison, which sends to Temporal without an outbox. */
const directConcurrency = 32;
const drainTimeoutMs = 300_000;
/** Duration of a call to an engine without a rate limit, in ms: about that of a single call. */
const callMs = 5;

const quickEngine: WorkflowEngine = { send: () => pause(callMs, 'done' as const) };

/** Appends starts of workflows that no worker runs. */
async function fillOutbox({ domain, institutionId }: BenchEnvironment, count: number): Promise<void> {
  for (let appended = 0; appended < count; appended += perTransaction) {
    await transact(domain, { institutionId, now: new Date() }, async (tx) => {
      for (let nth = 0; nth < perTransaction; nth += 1) {
        const linkId = newId('gdn');
        tx.startWorkflow('guardianInvitation', linkId, { linkId, institutionId, invitation: 1 });
      }
    });
  }
}

/** Returns how many outbox rows per second a relay sends. */
async function relayedPerSecond(environment: BenchEnvironment, engine: WorkflowEngine): Promise<number> {
  await fillOutbox(environment, rows);
  const begun = performance.now();
  const relay = startOutboxRelay(environment.database, engine, createLogger('worker', 'silent'));
  try {
    for (;;) {
      const left = await environment.database.sql('SELECT 1 FROM owed_workflows LIMIT 1');
      const tookMs = performance.now() - begun;
      if (left.length === 0) return rows / (tookMs / 1_000);
      if (tookMs > drainTimeoutMs) throw new Error('The outbox was not emptied in time');
      await pause(20);
    }
  } finally {
    await relay.stop();
  }
}

/** Returns how many concurrent starts per second Temporal itself accepts without an outbox. */
async function directPerSecond({ institutionId }: BenchEnvironment, engine: WorkflowEngine): Promise<number> {
  let left = rows;
  let failed = 0;
  const begun = performance.now();
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const linkId = newId('gdn');
      const result = await engine.send({ kind: 'start', name: 'guardianInvitation', workflow_id: linkId, trace_context: null, argument: { linkId, institutionId, invitation: 1 }, epochs: [] });
      if (result !== 'done') failed += 1;
    }
  };
  await Promise.all(Array.from({ length: directConcurrency }, caller));
  return (rows - failed) / ((performance.now() - begun) / 1_000);
}

/** Measures how fast the outbox is sent: to the real Temporal, compared with direct starts, and to an engine without a rate limit. */
export async function* benchOutbox(environment: BenchEnvironment): AsyncGenerator<object> {
  const { temporalAddress: address, temporalNamespace: namespace } = readSettings(environment.services);
  const temporal = openTemporal({ address, namespace, taskQueue: 'bench-outbox' });
  try {
    const engine = createWorkflowEngine(temporal);
    await directPerSecond(environment, engine);
    for (let round = 1; round <= 2; round += 1) {
      const [perS, barePerS] = [await relayedPerSecond(environment, engine), await directPerSecond(environment, engine)];
      yield { bench: 'outbox', to: 'temporal', round, rows, rows_per_s: Math.round(perS), bare_per_s: Math.round(barePerS), ratio: Number((perS / barePerS).toFixed(2)) };
    }
    yield { bench: 'outbox', to: `an engine that responds after ${callMs} ms`, rows, rows_per_s: Math.round(await relayedPerSecond(environment, quickEngine)) };
  } finally {
    await temporal.close();
  }
}
