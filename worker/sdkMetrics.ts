import { createServer, type AddressInfo } from 'node:net';
import { Counter, type Registry } from 'prom-client';
import type { Logger } from '../config/logger';
import { installRuntimeLogger } from './runtimeLogger';

/** The metrics of Temporal's SDK that `/metrics` passes on; its own listener has more. */
export const passedOnMetrics: ReadonlySet<string> = new Set([
  'temporal_workflow_task_schedule_to_start_latency_seconds',
  'temporal_activity_schedule_to_start_latency_seconds',
  'temporal_worker_task_slots_available',
  'temporal_worker_task_slots_used',
  'temporal_num_pollers',
  'temporal_sticky_cache_size',
  'temporal_sticky_cache_hit_total',
  'temporal_workflow_task_execution_failed_total',
  'temporal_activity_execution_failed_total',
]);

const readWithinMs = 1_000;
const portTries = 5;

/** Reads the metrics of Temporal's SDK, which has a listener of its own. */
export interface SdkMetrics {
  /** Everything, as Prometheus text; rejects if it does not respond within a second. */
  readAll(): Promise<string>;
  /** The samples to be passed on, each with its name's help; '' if they cannot be read, which is counted. */
  readPassedOn(): Promise<string>;
}

async function freeAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

/** The address at which the SDK of this process serves its metrics: there is one runtime for each process. */
// eslint-disable-next-line no-restricted-syntax -- Temporal's runtime is one per process
let address: Promise<string> | undefined;

async function install(logger: Logger): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const free = await freeAddress();
    try {
      installRuntimeLogger(logger, free);
      return free;
    } catch (error) {
      // Another program may have taken the port since.
      if (tries === portTries) throw error;
    }
  }
}

/** Installs Temporal's runtime, which serves its metrics on a free port of the loopback address, and returns what reads them. */
export async function openSdkMetrics(registry: Registry, logger: Logger): Promise<SdkMetrics> {
  address ??= install(logger);
  return readSdkMetrics(await address, registry);
}

/** Returns what reads the SDK's metrics at `host:port`; failed reads are counted in the registry. */
export function readSdkMetrics(servedAt: string, registry: Registry): SdkMetrics {
  const failures = new Counter({ name: 'sdk_metrics_failures_total', help: "Reads of the metrics of Temporal's SDK that failed.", registers: [registry] });
  const at = `http://${servedAt}/metrics`;
  const readAll = async (): Promise<string> => {
    try {
      const response = await fetch(at, { signal: AbortSignal.timeout(readWithinMs) });
      if (!response.ok) throw new Error(`Temporal's SDK answered ${response.status} for its metrics`);
      return await response.text();
    } catch (error) {
      failures.inc();
      throw error;
    }
  };
  return { readAll, readPassedOn: () => readAll().then(onlyPassedOn, () => '') };
}

const nameOfLine = (line: string): string => (/^# (?:HELP|TYPE) (\S+)/.exec(line) ?? /^([a-zA-Z_:][\w:]*)/.exec(line))?.[1] ?? '';

/** Returns the lines of a Prometheus text that are to be passed on. */
function onlyPassedOn(text: string): string {
  const isPassedOn = (name: string): boolean => passedOnMetrics.has(name) || passedOnMetrics.has(name.replace(/_(bucket|sum|count)$/, ''));
  const lines = text.split('\n').filter((line) => isPassedOn(nameOfLine(line)));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Returns the sum of a metric's samples whose labels contain a text; 0 without any. */
export function sumOfSamples(text: string, name: string, labels = ''): number {
  let sum = 0;
  for (const line of text.split('\n')) {
    if (nameOfLine(line) !== name || line.startsWith('#') || !line.includes(labels)) continue;
    sum += Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return sum;
}
