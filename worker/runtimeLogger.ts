import { DefaultLogger, Runtime, type LogEntry } from '@temporalio/worker';
import type { Logger } from '../config/logger';

// eslint-disable-next-line no-restricted-syntax -- the runtime of Temporal is one for a process
let installed = false;

const severities = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Sends what Temporal's SDK says to our log; once a process, because the SDK has one runtime. */
export function installRuntimeLogger(logger: Logger): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }: LogEntry) => {
      const { error, ...facts } = meta ?? {};
      logger[severities[level]]({ ...facts, ...(error === undefined ? {} : { err: error }) }, message);
    }),
    // Without this its native part writes lines of its own kind to our output.
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  });
}
