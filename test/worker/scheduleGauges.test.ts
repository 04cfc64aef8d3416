import { ScheduleOverlapPolicy } from '@temporalio/client';
import { lastDueAt, lateSecondsAt, readScheduleStates, type ScheduleState } from '../../outbound/temporal/scheduleStates';
import { schedules } from '../../workflows/contract';
import type { RunningWorker } from '../../worker/start';
import { apiFixture } from '../support/apiFixture';
import { eventually } from '../support/eventually';
import { readMetrics } from '../support/metrics';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { startTestWorker, waitUntilPolling } from '../support/worker';

const fixture = apiFixture({ institutionPer: 'none' });
const scheduleId = 'event-retention';
let worker: RunningWorker;

beforeAll(async () => {
  worker = await startTestWorker(fixture.api.settings, { temporalLooksEveryMs: 200 });
  await waitUntilPolling(worker);
});

afterAll(async () => {
  await worker.stop();
  await closeTestTemporal();
});

const gaugeOf = async (name: string): Promise<number | undefined> => (await readMetrics(worker.port)).get(`${name}{schedule="${scheduleId}"}`);
const stateAt = async (now: Date): Promise<ScheduleState | undefined> =>
  (await readScheduleStates(openTestTemporal(fixture.api.settings), now)).states.find((state) => state.scheduleId === scheduleId);

it.each([
  ['a daily one, after its time', { hour: 3, minute: 30 }, '2026-11-23T04:00:00Z', '2026-11-23T03:30:00Z'],
  ['a daily one, at its time', { hour: 3, minute: 30 }, '2026-11-23T03:30:00Z', '2026-11-23T03:30:00Z'],
  ['a daily one, before its time', { hour: 3, minute: 30 }, '2026-12-01T03:29:59Z', '2026-11-30T03:30:00Z'],
  ['one of Mondays, on a Monday', { dayOfWeek: 'MONDAY', hour: 12, minute: 10 }, '2026-11-23T12:11:00Z', '2026-11-23T12:10:00Z'],
  ['one of Mondays, on a Sunday', { dayOfWeek: 'MONDAY', hour: 12, minute: 10 }, '2026-11-22T12:11:00Z', '2026-11-16T12:10:00Z'],
] as const)('a Schedule was due last: %s', (_what, calendar, now, due) => {
  expect(lastDueAt(calendar, new Date(now))).toEqual(new Date(due));
});

it.each([
  ['has not begun', { begun: ['2026-11-22T03:30:00Z'], isRunning: false, endedAt: '2026-11-22T03:40:00Z' }, 5_400],
  ['has begun', { begun: ['2026-11-22T03:30:00Z', '2026-11-23T03:30:00Z'], isRunning: false, endedAt: '2026-11-23T03:31:00Z' }, 0],
  ['was due before the Schedule was changed', { begun: ['2026-11-23T04:00:00Z'], isRunning: false, endedAt: undefined }, 0],
  ['was skipped, for the one before runs', { begun: ['2026-11-22T03:30:00Z'], isRunning: true, endedAt: undefined }, 0],
  ['was skipped, for the one before ended after it was due', { begun: ['2026-11-22T03:30:00Z'], isRunning: false, endedAt: '2026-11-23T03:45:00Z' }, 0],
])('a run is late only where nothing kept it from beginning: it %s', (_what, { begun, isRunning, endedAt }, seconds) => {
  const runs = { begun: begun.map((at) => new Date(at)), isRunning, endedAt: endedAt === undefined ? undefined : new Date(endedAt) };
  expect(lateSecondsAt(new Date('2026-11-23T05:00:00Z'), new Date('2026-11-23T03:30:00Z'), runs)).toBe(seconds);
});

it('every Schedule has its gauges, and none that runs on time is late', async () => {
  await eventually('the gauges', async () => (await gaugeOf('schedule_late_seconds')) !== undefined);
  const metrics = await readMetrics(worker.port);
  for (const schedule of schedules) {
    for (const name of ['schedule_late_seconds', 'schedule_missed_runs', 'schedule_skipped_runs']) expect([schedule.scheduleId, name, metrics.get(`${name}{schedule="${schedule.scheduleId}"}`)]).toEqual([schedule.scheduleId, name, 0]);
  }
});

it('a Schedule whose run did not begin is late from the moment at which it was due', async () => {
  const now = new Date(Date.now() + 2 * 86_400_000);
  const { calendar } = schedules.find((schedule) => schedule.scheduleId === scheduleId) ?? schedules[1];
  expect((await stateAt(now))?.lateSeconds).toBe((now.getTime() - lastDueAt(calendar, now).getTime()) / 1_000);
});

it('a run that was terminated makes the gauge of failed runs 1, and the next one that is done 0', async () => {
  const { client } = openTestTemporal(fixture.api.settings);
  const handle = client.schedule.getHandle(scheduleId);
  const since = new Date();
  const latestRun = async () => (await handle.describe()).info.recentActions.findLast(({ takenAt }) => takenAt >= since)?.action.workflow;
  // Without a worker the run is there to be terminated.
  await worker.stop();
  await handle.trigger(ScheduleOverlapPolicy.SKIP);
  const run = await eventually('the run', latestRun);
  // While it runs the next ones are skipped, which has a gauge of its own.
  await eventually('a run that is not late', async () => (await stateAt(new Date(Date.now() + 2 * 86_400_000)))?.lateSeconds === 0);
  await client.workflow.getHandle(run.workflowId).terminate('the test');
  worker = await startTestWorker(fixture.api.settings, { temporalLooksEveryMs: 200 });
  await eventually('a failed run', async () => (await gaugeOf('schedule_last_run_failed')) === 1);
  await handle.trigger();
  await eventually('a run that is done', async () => (await gaugeOf('schedule_last_run_failed')) === 0);
});
