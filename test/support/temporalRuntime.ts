import { Registry } from 'prom-client';
import { createLogger } from '../../config/logger';
import { openSdkMetrics } from '../../worker/sdkMetrics';

/**
 * Installs the runtime of Temporal's SDK as a worker does, unless this process has it: the SDK remembers the options of the last
 * installation for all test files of a process.
 */
export async function installTestRuntime(): Promise<void> {
  await openSdkMetrics(new Registry(), createLogger('worker', 'error'));
}
