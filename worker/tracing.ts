import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { Settings } from '../config/settings';
import { recordEndedWork } from '../lib/tracing';
import type { TraceSinks } from '../workflows/contract';

/** Records the runs of workflows that belong to a recorded trace. Without tracing, runs that began with it report to nobody. */
export const traceSinks: InjectedSinks<TraceSinks> = { traces: { ended: { fn: (_info, work) => recordEndedWork(work) } } };

/** Returns the interceptor that runs each activity as a span of its workflow's trace; none without tracing. */
export async function activityTracing({ tracing }: Pick<Settings, 'tracing'>): Promise<ActivityInterceptorsFactory[]> {
  if (tracing === null) return [];
  const { OpenTelemetryActivityInboundInterceptor } = await import('@temporalio/interceptors-opentelemetry');
  return [(context) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(context) })];
}
