import { createLogger } from '../../config/logger';
import type { Settings } from '../../config/settings';
import { startWorker, type RunningWorker } from '../../activities/start';

/** A real worker (sender, relay, Temporal worker) under a test's settings. Stop it in `afterAll`. */
export function startTestWorker(settings: Settings): Promise<RunningWorker> {
  return startWorker(settings, createLogger('worker', settings.logLevel));
}
