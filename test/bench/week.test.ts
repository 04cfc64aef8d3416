import { formatDay, scheduledRunTime, weekBefore } from '../../bench/week/calendar';
import { WeekChecks } from '../../bench/week/weekChecks';
import type { WorkflowTypeStats } from '../../bench/week/workflows';
import { schedules } from '../../workflows/contract';

describe('the week that is played', () => {
  it.each([
    ['2026-11-16T12:09:59Z', '2026-11-09'],
    ['2026-11-16T12:10:00Z', '2026-11-16'],
    ['2026-11-21T23:00:00Z', '2026-11-16'],
    ['2026-11-23T00:00:00Z', '2026-11-16'],
  ])('as of %s ends with the last Monday on which everything has run', (now, monday) => {
    const days = weekBefore(new Date(now));
    expect(days).toHaveLength(7);
    expect(days.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(formatDay(days[6] ?? { number: 0, midnight: new Date(0) })).toBe(monday);
  });

  it('has every Schedule on every day at its hour, the weekly one on Monday alone, and none in the future', () => {
    const now = new Date('2026-11-18T08:00:00Z');
    const runs = weekBefore(now).map((day) => schedules.map((scheduled) => scheduledRunTime(day, scheduled)));
    expect(runs.map((ofDay) => ofDay.filter((at) => at !== undefined).length)).toEqual([5, 5, 5, 5, 5, 5, 6]);
    expect(runs[6]?.map((at) => at?.toISOString())).toEqual(
      ['02:00', '03:00', '03:30', '03:45', '12:10', '04:00'].map((time) => `2026-11-16T${time}:00.000Z`),
    );
  });
});

describe('a promise is broken', () => {
  const found: WorkflowTypeStats = { type: 'housekeeping', completed: 8, open: 1, continued: 0, failed: 0, events: 10_000, kilobytes: 5_120 };
  const broken = (check: (promises: WeekChecks) => unknown): number => {
    const promises = new WeekChecks();
    check(promises);
    return promises.failures.length;
  };

  it('by a workflow that failed, one that waits for nothing, one that is missing, and a long history', () => {
    const changes: Partial<WorkflowTypeStats>[] = [{}, { failed: 1 }, { open: 2 }, { open: 0 }, { events: 10_001 }, { kilobytes: 5_121 }];
    expect(changes.map((change) => broken((promises) => promises.checkWorkflows({ ...found, ...change }, 1)))).toEqual([0, 1, 1, 1, 1, 1]);
  });

  it('by memory that grows by more than 15 % from the second day to the last, regardless of the first, after 0.2 MB is allowed for each additional cached workflow', () => {
    const days = (last: { resident: number; heap: number }, cachedWorkflows = 3) =>
      [{ resident: 10, heap: 10 }, { resident: 100, heap: 40 }, { resident: 300, heap: 90 }, last].map((held, nth, { length }) => ({ ...held, cachedWorkflows: nth === length - 1 ? cachedWorkflows : 3 }));
    const lasts = [{ resident: 115, heap: 46 }, { resident: 116, heap: 46 }, { resident: 90, heap: 47 }];
    expect(lasts.map((last) => broken((promises) => promises.checkMemory('API', days(last))))).toEqual([0, 1, 1]);
    const withTenMore = [{ resident: 117, heap: 48 }, { resident: 118, heap: 48 }, { resident: 117, heap: 49 }];
    expect(withTenMore.map((last) => broken((promises) => promises.checkMemory('worker', days(last, 13))))).toEqual([0, 1, 1]);
  });

  it('by a row too few or too many, and by a Schedule that did not do what was to do', () => {
    expect([3, 2, 4].map((there) => broken((promises) => promises.checkCount({ kind: 'students', expected: 3, found: there })))).toEqual([0, 1, 1]);
    const wanted = { licenseExpirySweep: { expired: 10 } };
    const results = [{ licenseExpirySweep: { expired: 10, more: 1 } }, { licenseExpirySweep: { expired: 9 } }, {}];
    expect(results.map((result) => broken((promises) => promises.checkSchedules('Monday', wanted, result)))).toEqual([0, 1, 1]);
  });
});
