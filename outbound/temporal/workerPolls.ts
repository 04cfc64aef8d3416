import type { Domain } from '../../domain/context';
import type { TemporalConnection } from './engine';

/** Timeout of asking Temporal for its pollers, in ms. */
const withinMs = 2_000;

/** Reads from Temporal when workers last asked it for work: a worker without work asks again every minute. */
export function workerPolls({ client, taskQueue, withDeadline }: TemporalConnection): Domain['findLastPoll'] {
  return async () => {
    const { namespace } = client.options;
    const found = await withDeadline(withinMs, () => client.workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue } })).catch(() => undefined);
    if (found === undefined) return undefined;
    const seconds = found.pollers.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds?.toString() ?? 0));
    return seconds.length === 0 ? null : new Date(Math.max(...seconds) * 1_000);
  };
}
