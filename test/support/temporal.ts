import type { Settings } from '../../config/settings';
import { openTemporal, type TemporalConnection } from '../../outbound/temporal/engine';

const opened: TemporalConnection[] = [];

/** A Temporal client under a test's settings; closed with the test file. */
export function openTestTemporal(settings: Settings): TemporalConnection {
  const temporal = openTemporal({ address: settings.temporalAddress, namespace: settings.temporalNamespace, taskQueue: settings.taskQueue });
  opened.push(temporal);
  return temporal;
}

/** For `afterAll`. */
export async function closeTestTemporal(): Promise<void> {
  await Promise.all(opened.splice(0).map((temporal) => temporal.close()));
}
