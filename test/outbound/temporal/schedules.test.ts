import { createHash } from 'node:crypto';
import { ensureSchedule, schedulesVersion } from '../../../outbound/temporal/schedules';
import { schedules, type ScheduleDefinition } from '../../../workflows/contract';
import { eventually } from '../../support/eventually';
import { startGrpcProxy } from '../../support/grpcProxy';
import { stack } from '../../support/stack';
import { closeTestTemporal, openTestTemporal } from '../../support/temporal';
import type { TemporalConnection } from '../../../outbound/temporal/engine';

const scheduled: ScheduleDefinition = { scheduleId: 'test-of-versions', workflowType: 'housekeeping', calendar: { hour: 4, minute: 0 }, summary: 'None: it is paused' };
const taskQueue = 'test-of-versions';
let temporal: TemporalConnection;

const handle = () => temporal.client.schedule.getHandle(scheduled.scheduleId);
const ensure = () => ensureSchedule(temporal.client, scheduled, taskQueue);
const hour = async () => (await handle().describe()).spec.calendars?.[0]?.hour[0]?.start;
/** Writes the Schedule as another release would: at 05:00, with its version. */
const writeAs = (memo: Record<string, unknown>) => handle().update(({ action, state }) => ({ action: { ...action, memo }, state, spec: { calendars: [{ hour: 5 }] } }));

beforeAll(async () => {
  temporal = openTestTemporal((await stack()).settings());
  expect(await ensure()).toBe('made');
  await handle().pause();
});
afterAll(async () => {
  await handle().delete();
  await closeTestTemporal();
  await (await stack()).stop();
});

it('a Schedule that is as it should be stays untouched', async () => {
  const before = (await handle().describe()).raw.conflictToken;
  expect(await ensure()).toBe('present');
  expect((await handle().describe()).raw.conflictToken).toEqual(before);
});

it.each([['has no version', {}], ['has the same version', { schedulesVersion }]])('a Schedule that differs and %s is brought up to date, and stays paused', async (_which, memo) => {
  await writeAs(memo);
  expect(await ensure()).toBe('updated');
  const { action, state } = await handle().describe();
  expect([await hour(), action.memo, state.paused]).toEqual([4, { schedulesVersion }, true]);
});

it('a Schedule that a newer release wrote is left as it is', async () => {
  await writeAs({ schedulesVersion: schedulesVersion + 1 });
  expect(await ensure()).toBe('newer');
  expect(await hour()).toBe(5);
});

it('a Schedule that a newer release writes after it was looked at is left as it is, too', async () => {
  await writeAs({});
  const proxy = await startGrpcProxy((await stack()).temporalAddress);
  const through = openTestTemporal({ ...(await stack()).settings(), temporalAddress: proxy.address });
  const looks = (): number => proxy.calls.filter(({ method }) => method === 'DescribeSchedule').length;
  try {
    proxy.hang = ({ method }) => method === 'DescribeSchedule' && looks() === 2;
    const ensured = ensureSchedule(through.client, scheduled, taskQueue);
    await eventually('the second look', () => looks() === 2);
    await writeAs({ schedulesVersion: schedulesVersion + 1 });
    proxy.release();
    expect(await ensured).toBe('newer');
    expect(await hour()).toBe(5);
  } finally {
    await through.close();
    await proxy.close();
  }
});

it('a change of a Schedule raises their version: then write both here', () => {
  const written = createHash('sha256').update(JSON.stringify(schedules)).digest('hex').slice(0, 16);
  expect([schedulesVersion, written]).toEqual([1, '8f2122d3e1b05441']);
});
