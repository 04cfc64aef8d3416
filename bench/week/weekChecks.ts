import { rounded } from '../statistics';
import type { CountComparison } from './expectedCounts';
import type { MemoryUse } from './memory';
import type { Result } from './schedules';
import type { WorkflowTypeStats } from './workflows';

/** How much more a process may hold on the last day than on the second, as a part. */
const maxMemoryRise = 0.15;
/** Temporal ends what has 51,200 events or 50 MB; ours hand over long before. */
const maxHistory = { events: 10_000, kilobytes: 5_120 };

/** What a worker may keep of each workflow that waits, in MB: it has up to 500 at hand, so as not to replay them; 0.11 were measured. */
const mbPerWaitingWorkflow = 0.2;

/** What a process held at the end of each day, and how many waiting workflows it may have had at hand. */
export type MemoryByDay = readonly (MemoryUse & { cachedWorkflows: number })[];

/** What was promised and is not so, in words; none when the week kept everything. */
export class WeekChecks {
  readonly failures: string[] = [];

  private expect(holds: boolean, otherwise: string): void {
    if (!holds) this.failures.push(otherwise);
  }

  /** What each Schedule's run of a day has done, beside what was there to do. */
  checkSchedules(when: string, wanted: Readonly<Record<string, Result>>, results: Readonly<Record<string, Result | undefined>>): void {
    for (const [type, figures] of Object.entries(wanted)) {
      for (const [name, figure] of Object.entries(figures)) {
        const found = results[type]?.[name] ?? 0;
        this.expect(found === figure, `${type} of ${when}: ${name} is ${found}, not ${figure}`);
      }
    }
  }

  /** From the second day on, after which everything has been used once, a process stays as large as it is, but for the workflows that wait. Answers by how much it rose. */
  checkMemory(name: string, days: MemoryByDay): { resident: number; heap: number } {
    const [, second, ...later] = days;
    const last = later.at(-1);
    if (second === undefined || last === undefined) throw new Error('A rise is seen from the second day to the last');
    const rise = { resident: rounded(last.resident / second.resident - 1), heap: rounded(last.heap / second.heap - 1) };
    const more = Math.max(0, last.cachedWorkflows - second.cachedWorkflows) * mbPerWaitingWorkflow;
    for (const memory of ['resident', 'heap'] as const) {
      this.expect(last[memory] <= rounded(second[memory] * (1 + maxMemoryRise) + more), `The ${memory} memory of the ${name} rose from ${second[memory]} to ${last[memory]} MB from the second day to the last`);
    }
    return rise;
  }

  /** What Temporal has of a type: none that failed, as many open as are to wait, no history that is too long. */
  checkWorkflows(found: WorkflowTypeStats, expectedOpen: number): void {
    const { type, open, failed, events, kilobytes } = found;
    this.expect(failed === 0, `${failed} of ${type} failed, timed out, or were ended`);
    this.expect(open === expectedOpen, `${open} of ${type} are open, not ${expectedOpen}`);
    this.expect(events <= maxHistory.events && kilobytes <= maxHistory.kilobytes, `A history of ${type} has ${events} events and ${kilobytes} KB`);
  }

  checkCount({ kind, expected, found }: CountComparison): void {
    this.expect(expected === found, `${kind}: ${expected} were put in, ${found} are there`);
  }

  /** Any other promise. */
  check(holds: boolean, what: string): void {
    this.expect(holds, `Not so: ${what}`);
  }
}
