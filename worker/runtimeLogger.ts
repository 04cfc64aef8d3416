import { DefaultLogger, Runtime, type LogEntry } from '@temporalio/worker';
import type { Logger } from '../config/logger';

// eslint-disable-next-line no-restricted-syntax -- Temporal's runtime is one per process
let installed = false;

const severities = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/**
 * Sends the log of Temporal's SDK to the service's log, and serves its metrics at an address of the loopback interface; once per process,
 * because the SDK has one runtime. Throws if something else listens there.
 */
export function installRuntimeLogger(logger: Logger, metricsAddress: string): void {
  if (installed) return;
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }: LogEntry) => {
      const { error, ...facts } = meta ?? {};
      logger[severities[level]]({ ...facts, ...(error === undefined ? {} : { err: error }) }, message);
    }),
    // Without this its native part writes lines in its own format to the output.
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      metrics: {
        attachServiceName: false,
        prometheus: { bindAddress: metricsAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
      },
    },
  });
  installed = true;
}
