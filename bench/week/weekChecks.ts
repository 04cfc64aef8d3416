import { rounded } from '../statistics';
import type { CountComparison } from './expectedCounts';
import type { MemoryUse } from './memory';
import type { Result } from './schedules';
import type { WorkflowTypeStats } from './workflows';

/** The largest allowed increase of a process's memory from the second to the last day, as a part. */
const maxMemoryRise = 0.15;
/** Temporal terminates a workflow with 51,200 events or 50 MB; the service's continue as new long before. */
const maxHistory = { events: 10_000, kilobytes: 5_120 };

/** Memory that a worker may use for each waiting workflow, in MB: it caches up to 500; 0.11 was measured. */
const mbPerWaitingWorkflow = 0.2;

/** A process's memory at the end of each day, and how many waiting workflows it may have cached. */
export type MemoryByDay = readonly (MemoryUse & { cachedWorkflows: number })[];

/** The failed checks, as sentences; none if all succeeded. */
export class WeekChecks {
  readonly failures: string[] = [];

  private expect(holds: boolean, otherwise: string): void {
    if (!holds) this.failures.push(otherwise);
  }

  /** Compares the results of each Schedule's run with the expected work. */
  checkSchedules(when: string, wanted: Readonly<Record<string, Result>>, results: Readonly<Record<string, Result | undefined>>): void {
    for (const [type, figures] of Object.entries(wanted)) {
      for (const [name, figure] of Object.entries(figures)) {
        const found = results[type]?.[name] ?? 0;
        this.expect(found === figure, `${type} of ${when}: ${name} is ${found}, not ${figure}`);
      }
    }
  }

  /** Checks that a process does not grow after the second day, when everything has been used once, except by waiting workflows. Returns the increase. */
  checkMemory(name: string, days: MemoryByDay): { resident: number; heap: number } {
    const [, second, ...later] = days;
    const last = later.at(-1);
    if (second === undefined || last === undefined) throw new Error('The increase needs at least a second and a last day');
    const rise = { resident: rounded(last.resident / second.resident - 1), heap: rounded(last.heap / second.heap - 1) };
    const more = Math.max(0, last.cachedWorkflows - second.cachedWorkflows) * mbPerWaitingWorkflow;
    for (const memory of ['resident', 'heap'] as const) {
      this.expect(last[memory] <= rounded(second[memory] * (1 + maxMemoryRise) + more), `The ${memory} memory of the ${name} rose from ${second[memory]} to ${last[memory]} MB from the second day to the last`);
    }
    return rise;
  }

  /** Checks the workflows of a type: none failed, the expected number is open, no history is too long. */
  checkWorkflows(found: WorkflowTypeStats, expectedOpen: number): void {
    const { type, open, failed, events, kilobytes } = found;
    this.expect(failed === 0, `${failed} of ${type} failed, timed out, or were ended`);
    this.expect(open === expectedOpen, `${open} of ${type} are open, not ${expectedOpen}`);
    this.expect(events <= maxHistory.events && kilobytes <= maxHistory.kilobytes, `A history of ${type} has ${events} events and ${kilobytes} KB`);
  }

  checkCount({ kind, expected, found }: CountComparison): void {
    this.expect(expected === found, `${kind}: ${expected} expected, ${found} found`);
  }

  /** Checks any other condition. */
  check(holds: boolean, what: string): void {
    this.expect(holds, `Failed: ${what}`);
  }
}
