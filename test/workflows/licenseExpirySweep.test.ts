import type { ScheduleHandle } from '@temporalio/client';
import type { RunningWorker } from '../../worker/start';
import { schedules, searchAttributes } from '../../workflows/contract';
import type { licenseExpirySweep, SweepProgress } from '../../workflows/licenseExpirySweep';
import { startTestApi, type TestApi } from '../support/api';
import { eventually } from '../support/eventually';
import { eventsOf } from '../support/events';
import { recordHistory } from '../support/histories';
import { storedStatus, seedExpiredLicenses } from '../support/seed/licenses';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { startTestWorker } from '../support/worker';
import type { TemporalConnection } from '../../outbound/temporal/engine';

let api: TestApi;
let worker: RunningWorker;
let temporal: TemporalConnection;
let schedule: ScheduleHandle;

const scheduleId = schedules[0].scheduleId;

/** The Schedule once this file's worker has made it its own. */
const settled = () =>
  eventually('the Schedule on our task queue', async () => {
    const description = await schedule.describe().catch(() => undefined);
    return description?.action.taskQueue === api.settings.taskQueue && description;
  });

beforeAll(async () => {
  api = await startTestApi();
  temporal = openTestTemporal(api.settings);
  schedule = temporal.client.schedule.getHandle(scheduleId);
  worker = await startTestWorker(api.settings);
  await settled();
});

afterAll(async () => {
  await schedule.delete().catch(() => undefined);
  await closeTestTemporal();
  await worker.stop();
  await api.stop();
});

/** What the Web UI shows as the workflow's current details. */
async function currentDetails(workflowId: string): Promise<string> {
  const { currentDetails: details } = await temporal.client.workflow
    .getHandle(workflowId)
    .query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return details;
}

const outcomeOf = async (workflowId: string) =>
  (await temporal.client.workflow.getHandle(workflowId).describe()).typedSearchAttributes.get(searchAttributes.outcome);

const polling = ({ port }: RunningWorker) =>
  eventually('the worker polls', async () => {
    const { status }: { status: string } = JSON.parse(await (await fetch(`http://127.0.0.1:${port}/readyz`)).text());
    return status === 'ready';
  });

const start = (workflowId: string, progress?: SweepProgress) =>
  temporal.client.workflow.start<typeof licenseExpirySweep>('licenseExpirySweep', {
    workflowId,
    taskQueue: api.settings.taskQueue,
    args: progress === undefined ? [] : [progress],
  });

// Contract: licenses.states.daily-sweep-expires
it('runs daily at 02:00 UTC, one run at a time', async () => {
  const { spec, policies, action, info } = await settled();
  expect(spec.calendars).toHaveLength(1);
  expect(info.nextActionTimes.slice(0, 3).map((time) => time.toISOString().slice(11))).toEqual(Array(3).fill('02:00:00.000Z'));
  expect([policies.overlap, action.workflowType]).toEqual(['SKIP', 'licenseExpirySweep']);
});

// Contract: licenses.states.daily-sweep-expires, licenses.expiry.event, events.license-expired
it('triggered, expires every lapsed license of every institution once and says so in a sentence', async () => {
  const [institution, otherInstitution] = [await api.institution(), await api.institution()];
  await seedExpiredLicenses(api, institution, 520);
  await seedExpiredLicenses(api, otherInstitution, 3);
  await schedule.trigger();
  const run = await eventually('the triggered run', async () => (await schedule.describe()).info.recentActions.at(-1));
  const { workflow } = run.action;
  expect(await temporal.client.workflow.getHandle(workflow.workflowId).result()).toEqual({ expired: 523, institutions: 2 });
  expect(await outcomeOf(workflow.workflowId)).toBe('done');
  expect(await currentDetails(workflow.workflowId)).toMatch(/^523 licenses expired in 2 institutions, as of /);
  expect(await storedStatus(api, `lic_${institution.id}_520`)).toBe('expired');
  const expired = [...(await eventsOf(api, institution)), ...(await eventsOf(api, otherInstitution))].filter(({ type }) => type === 'license.expired');
  expect(expired).toHaveLength(523);
});

it('continues from where the run before it stopped', async () => {
  const institution = await api.institution();
  await seedExpiredLicenses(api, institution, 1);
  const before = { nowMs: Date.now(), afterId: '', expired: 1_199, institutions: 2, failed: [] };
  const sweep = await start(`continued-${institution.id}`, before);
  expect(await sweep.result()).toEqual({ expired: 1_200, institutions: 3 });
  expect(await currentDetails(sweep.workflowId)).toMatch(/^1,200 licenses expired in 3 institutions, as of /);
  await recordHistory('licenseExpirySweep.outcome', sweep);
});

it('expires by the time it started with, not by the time it is', async () => {
  const institution = await api.institution();
  await seedExpiredLicenses(api, institution, 1);
  const longAgo = { nowMs: Date.parse('2020-01-01T00:00:00Z'), afterId: '', expired: 0, institutions: 0, failed: [] };
  expect(await (await start(`past-${institution.id}`, longAgo)).result()).toEqual({ expired: 0, institutions: 0 });
});

it('with institutions given up ends as failed, with what it did do', async () => {
  const before = { nowMs: Date.now(), afterId: 'zzz', expired: 7, institutions: 1, failed: ['ins_poisoned'] };
  const sweep = await start('given-up', before);
  await expect(sweep.result()).rejects.toMatchObject({
    cause: { type: 'SweepIncomplete', message: expect.stringContaining('7 licenses expired in 1 institution; 1 institution failed') },
  });
  expect(await outcomeOf('given-up')).toBe('incomplete');
});

it('is kept as it is by another worker, fixed where it differs, and stays paused where it was paused', async () => {
  await schedule.pause('an operator says so');
  const revision = (await settled()).raw.conflictToken;
  const second = await startTestWorker(api.settings);
  await polling(second);
  expect((await settled()).raw.conflictToken).toEqual(revision);
  await second.stop();

  await schedule.update((previous) => ({ ...previous, spec: { calendars: [{ hour: 5 }] } }));
  const third = await startTestWorker(api.settings);
  const fixed = await eventually('02:00 again', async () => {
    const description = await schedule.describe();
    return description.spec.calendars?.[0]?.hour[0]?.start === 2 && description;
  });
  await third.stop();
  expect([fixed.state.paused, fixed.state.note]).toEqual([true, 'an operator says so']);
});
