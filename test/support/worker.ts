import { createLogger } from '../../config/logger';
import type { Settings } from '../../config/settings';
import { startWorker, type RunningWorker, type WorkerTimes } from '../../worker/start';
import { eventually } from './eventually';

/** A real worker (sender, relay, Temporal worker) under a test's settings. Stop it in `afterAll`. */
export function startTestWorker(settings: Settings, times: Partial<WorkerTimes> = {}): Promise<RunningWorker> {
  return startWorker(settings, createLogger('worker', settings.logLevel), times);
}

/** Resolves when the worker takes tasks from Temporal: some time after it has started. */
export async function waitUntilPolling({ port }: Pick<RunningWorker, 'port'>): Promise<void> {
  await eventually('the worker polls', async () => (await (await fetch(`http://127.0.0.1:${port}/readyz`)).text()).includes('"ready"'));
}
