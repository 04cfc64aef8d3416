import type { RunningWorker } from '../../worker/start';
import { deliveryWorkflowId } from '../../domain/outbox/workflows';
import { scheduleExpiry } from '../../domain/attempts/scheduleExpiry';
import { transact } from '../../domain/transact';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedExam } from '../support/seed/exams';
import { seedStudents } from '../support/seed/students';
import { seedExamAttempt } from '../support/seed/submissions';
import { eventually } from '../support/eventually';
import { startReceiver, type Receiver } from '../support/receiver';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { waitUntilPolling, startTestWorker } from '../support/worker';

/** More than a queue without bounds has places, of institutions that may each have 25. */
const institutions = 5;
const endpointsEach = 21;
/** By so much may be late what has nothing to do with receivers that hang, in ms. */
const lateMs = 5_000;

let hanging: Receiver;
let receiver: Receiver;
let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;
let leave: () => void = () => undefined;

beforeAll(async () => {
  [hanging, receiver] = [await startReceiver(), await startReceiver()];
  const left = new Promise<number>((resolve) => (leave = () => resolve(500)));
  hanging.respond = () => left;
  api = await startTestApi({ webhookTrustedHosts: [hanging.host, receiver.host] });
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
  institution = await api.institution();
});

afterAll(async () => {
  leave();
  await closeTestTemporal();
  await worker.stop();
  await api.stop();
  await Promise.all([hanging.close(), receiver.close()]);
});

/** A delivery that has failed once and is due now, with its workflow. */
async function due(institution: TestInstitution, url: string): Promise<void> {
  const now = new Date();
  const endpointId = await seedEndpoint(api, institution, url);
  const [event] = await api.api.domain.database.sql<{ id: string }>('SELECT id FROM events WHERE institution_id = $1 LIMIT 1', [institution.id]);
  const id = await seedDelivery(api, institution, endpointId, {
    eventId: event?.id ?? '', status: 'retrying', retriedBy: 'workflow', attempts: 1, scheduleStep: 1, firstAttemptAt: now, nextAttemptAt: now,
    deadlineAt: new Date(now.getTime() + 43_200_000),
  });
  const argument = { deliveryId: id, institutionId: institution.id, endpointId, eventType: 'ping', cycle: 1 };
  await transact(api.api.domain, institution.caller, async (tx) => {
    tx.startWorkflow('webhookDelivery', deliveryWorkflowId(id, 1), argument);
    await Promise.resolve();
  });
}

/** An attempt at an exam that runs out of time then; returns its id. */
async function attemptUntil(expiresAt: Date): Promise<string> {
  const [studentId = ''] = await seedStudents(api, institution, 1);
  const examId = await seedExam(api, institution);
  const id = await seedExamAttempt(api, institution, { examId, studentId }, { startedAt: new Date(expiresAt.getTime() - 60_000), expiresAt });
  await transact(api.api.domain, institution.caller, (tx) => scheduleExpiry(tx, examId, expiresAt));
  return id;
}

it('105 endpoints that hang at once hold up neither retries of others nor the codes of a coupon batch, the ends of attempts or Schedules', async () => {
  const others = await Promise.all(Array.from({ length: institutions }, () => api.institution()));
  await Promise.all(others.flatMap((institution) => Array.from({ length: endpointsEach }, () => due(institution, hanging.url))));
  // At least as many as a queue without bounds would run at once; the first of them still hangs.
  await eventually('100 attempts that hang', () => hanging.received.length >= 100);

  const startedAt = Date.now();
  const { data: batch } = await api.call('POST', '/coupons/batches', { key: institution.apiKey, body: { name: 'Fair', total_coupons: 10, value_cents: 500, expiry_date: new Date(startedAt + 86_400_000).toISOString() } });
  await api.platform('POST', `/institutions/${institution.id}/coupon-batches/${batch.id}/approve`, { body: {} });
  await due(institution, receiver.url);
  const attemptId = await attemptUntil(new Date(startedAt));
  const temporal = openTestTemporal(api.settings);
  const schedule = temporal.client.schedule.getHandle('license-expiry-sweep');
  const triggeredAt = Date.now();
  await schedule.trigger();
  const ranSince = async (): Promise<boolean> => {
    const [last] = (await schedule.describe()).info.recentActions.slice(-1);
    if (last === undefined || last.takenAt.getTime() < triggeredAt - 1_000) return false;
    const { workflowId, firstExecutionRunId } = last.action.workflow;
    return (await temporal.client.workflow.getHandle(workflowId, firstExecutionRunId).describe()).status.name === 'COMPLETED';
  };
  const took = async (what: string, look: () => Promise<boolean> | boolean): Promise<[what: string, ms: number]> => {
    await eventually(what, look);
    return [what, Date.now() - startedAt];
  };
  const times = await Promise.all([
    took('the retry', () => receiver.received.length === 1),
    took('the codes', async () => (await api.call('GET', `/coupons/batches/${batch.id}`, { key: institution.apiKey })).data.codes.length === 10),
    took('the end of the attempt', async () => (await api.api.domain.database.sql("SELECT 1 FROM attempts WHERE id = $1 AND status = 'abandoned'", [attemptId])).length === 1),
    took('the Schedule', ranSince),
  ]);
  const late = times.filter(([, ms]) => ms >= lateMs);
  expect(late).toEqual([]);
});
