import { startRepeatingTask, type RepeatingTask } from '../lib/repeatingTask';
import { sumOfSamples, type SdkMetrics } from './sdkMetrics';

const sampleEveryMs = 5_000;
const windowMs = 60_000;

/** How many workflow tasks have failed and were completed since the process began. */
interface TaskCounts {
  atMs: number;
  failed: number;
  completed: number;
}

/** Watches whether this process can execute workflow tasks. */
export interface WorkflowTaskWatch extends Pick<RepeatingTask, 'stop'> {
  /** Rejects if workflow tasks have failed within the last minute and none was completed. */
  check(): Promise<void>;
}

/** Whether tasks failed within a minute before the last sample, and none was completed; the samples are in the order of time. */
export function onlyFailures(samples: readonly TaskCounts[]): boolean {
  const last = samples.at(-1);
  if (last === undefined) return false;
  const first = samples.findLast(({ atMs }) => last.atMs - atMs >= windowMs) ?? samples[0] ?? last;
  return last.failed > first.failed && last.completed === first.completed;
}

/**
 * Counts workflow tasks every 5 s. One that fails is retried indefinitely and its workflow waits, for example where the code does not replay
 * its history. While others are completed, the fault is of that workflow; while none is, it is of this process.
 */
export function watchWorkflowTasks(metrics: SdkMetrics): WorkflowTaskWatch {
  const samples: TaskCounts[] = [{ atMs: performance.now(), failed: 0, completed: 0 }];
  const task = startRepeatingTask(
    async () => {
      const text = await metrics.readAll();
      const atMs = performance.now();
      samples.push({
        atMs,
        failed: sumOfSamples(text, 'temporal_workflow_task_execution_failed_total'),
        completed: sumOfSamples(text, 'temporal_request_total', 'operation="RespondWorkflowTaskCompleted"'),
      });
      while (samples[1] !== undefined && atMs - samples[1].atMs >= windowMs) samples.shift();
    },
    // Counted by the reader.
    { everyMs: sampleEveryMs, onError: () => undefined },
  );
  return {
    stop: () => task.stop(),
    check: async () => {
      if (onlyFailures(samples)) throw new Error('Workflow tasks fail, and none was completed within a minute');
    },
  };
}
