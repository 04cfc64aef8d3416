import type { Logger } from './logger';
import type { Settings } from './settings';
import type { Tracing, TracingSettings } from './tracingSettings';

/** What registers the SDK, which is loaded where it is used alone. */
interface TracingSdk {
  startSdk(serviceName: string, settings: TracingSettings, logger: Logger): Tracing;
}

const off: Tracing = { stop: async () => undefined };

/** Begins to record traces if the settings name a collector; else nothing of OpenTelemetry's SDK is loaded. */
export function startTracing(processName: string, { tracing }: Pick<Settings, 'tracing'>, logger: Logger): Tracing {
  if (tracing === null) return off;
  // eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/no-unsafe-assignment -- an import() of our own file does not find it when it runs from source
  const { startSdk }: TracingSdk = require('./tracingSdk');
  return startSdk(tracing.serviceName || `institution-${processName}`, tracing, logger);
}
