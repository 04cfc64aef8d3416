import { createLogger } from '../../config/logger';
import { scheduleExpiry } from '../../domain/attempts/scheduleExpiry';
import { newId } from '../../domain/ids';
import { transact } from '../../domain/transact';
import { disableFailingEndpoint } from '../../domain/webhooks/disableEndpoint';
import { warnOfFailingEndpoint } from '../../domain/webhooks/warnOfEndpoint';
import { createWorkflowEngine } from '../../outbound/temporal/engine';
import { schedules, startDescriptions } from '../../workflows/contract';
import { startOutboxRelay } from '../../worker/outbox/relay';
import type { RunningWorker } from '../../worker/start';
import { startTestApi, systemCaller, type TestApi, type TestInstitution } from '../support/api';
import { startDedicatedTemporal, type DedicatedTemporal } from '../support/dedicatedTemporal';
import { inviteDeveloper } from '../support/developers';
import { eventually } from '../support/eventually';
import { assignAndAnnounce } from '../support/examNotices';
import { inviteGuardian, newGuardianEmail } from '../support/guardians';
import { readMetrics } from '../support/metrics';
import { offboard } from '../support/offboarding';
import { createResource } from '../support/resourceFactories';
import { openSandboxOf } from '../support/sandboxes';
import { seedDeadDeliveries, seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEnrollments } from '../support/seed/enrollments';
import { seedEvents } from '../support/seed/events';
import { seedExam } from '../support/seed/exams';
import { seedGuardians } from '../support/seed/guardians';
import { seedStudents } from '../support/seed/students';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { writeReportWeek } from '../support/weeklyReports';
import { startTestWorker } from '../support/worker';

const hour = 3_600_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);

/** The types whose sweep is that of deliveries. */
const healedWithDeliveries = ['webhookDelivery', 'endpointBacklog'];

let temporal: DedicatedTemporal;
let proxy: TcpProxy;
let api: TestApi;
let institution: TestInstitution;
let worker: RunningWorker | undefined;

beforeAll(async () => {
  temporal = await startDedicatedTemporal();
  proxy = await startTcpProxy(temporal.address);
  api = await startTestApi({ temporalAddress: proxy.address, temporalNamespace: temporal.namespace });
  institution = await api.institution();
});

afterAll(async () => {
  await worker?.stop();
  await closeTestTemporal();
  await api.stop();
  await proxy.close();
  await temporal.stop();
});

const sql = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => api.api.domain.database.sql<Row>(text, values);
const call = (method: string, path: string, body?: object) => api.call(method, path, { key: institution.apiKey, body });
const openWorkflows = () => sql<{ workflow_id: string; name: string }>('SELECT workflow_id, name FROM open_workflows ORDER BY name, workflow_id');
/** What the runbook says, so that nobody waits a quarter of an hour. */
const checkNow = () => sql("UPDATE open_workflows SET check_after = '-infinity'");
const statusOf = async (workflowId: string): Promise<string> => {
  const { client } = openTestTemporal(api.settings);
  return client.workflow.getHandle(workflowId).describe().then(({ status }) => status.name, () => 'none');
};

/** Temporal comes back at its address, with an empty namespace. */
async function loseTemporal(): Promise<void> {
  const lost = temporal;
  temporal = await startDedicatedTemporal();
  await proxy.redirect(temporal.address);
  await lost.stop();
}

/** Sends the outbox as a worker does that never begins a task. */
async function relayAll(): Promise<void> {
  const relay = startOutboxRelay(api.api.domain.database, createWorkflowEngine(openTestTemporal(api.settings)), createLogger('worker', 'silent'));
  await eventually('an empty outbox', async () => (await sql('SELECT 1 FROM owed_workflows')).length === 0);
  await relay.stop();
}

/** An endpoint that has failed for so many hours, with enough attempts to be disabled. */
async function failingEndpoint(hours: number): Promise<string> {
  const id = await seedEndpoint(api, institution, 'https://receiver.example/', { failingSince: ago(hours * hour), consecutiveFailures: 20 });
  const deliveryId = await seedDelivery(api, institution, id, { status: 'delivered' });
  await sql(
    `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, response_code, error_class)
     SELECT $1, n, $2, $3, 1, now() - n * interval '1 minute', 5, 503, 'http' FROM generate_series(1, 10) n`,
    [deliveryId, institution.id, id],
  );
  return id;
}

/** Starts a workflow of every type that rules start, and returns what ends those that would wait for days. */
async function startEveryType(): Promise<(() => Promise<unknown>)[]> {
  const { domain } = api.api;
  const [student = '', erased = '', exported = '', reported = ''] = await seedStudents(api, institution, 4);
  const { data: link } = await inviteGuardian(api, institution, student, newGuardianEmail());
  const { data: developer } = await inviteDeveloper(api, institution);
  const { data: batch } = await call('POST', '/coupons/batches', { name: 'Fair', total_coupons: 10, value_cents: 500, expiry_date: new Date(Date.now() + 300 * 24 * hour).toISOString() });

  const examId = await createResource.exam(api, institution);
  await call('POST', `/exams/${examId}/publish`, {});
  await sql(
    "INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, expires_at) VALUES ($1, $2, $3, $4, 'in_progress', now(), now() + interval '5 hours')",
    [newId('att'), institution.id, examId, student],
  );
  await transact(domain, systemCaller(institution.id), (tx) => scheduleExpiry(tx, examId, new Date(Date.now() + 5 * hour)));
  const { data: group } = await call('POST', '/groups', { name: 'Class 7', student_ids: [student] });
  await assignAndAnnounce(api, institution, await seedExam(api, institution), [group.id]);
  await seedEnrollments(api, institution, [reported]);
  await seedGuardians(api, institution, [reported]);
  await writeReportWeek(api, institution);

  await disableFailingEndpoint(domain, { endpointId: await failingEndpoint(73), institutionId: institution.id }, new Date());
  await warnOfFailingEndpoint(domain, { endpointId: await failingEndpoint(40), institutionId: institution.id }, new Date());
  const endpointId = await seedEndpoint(api, institution, 'https://receiver.example/', { events: ['*'] });
  await seedDeadDeliveries(api, institution, endpointId, 3);
  await seedEvents(api, institution, { createdAt: ago(hour), count: 3 });
  const since = { since: ago(48 * hour).toISOString() };
  for (const what of ['replay-dead', 'recover']) await call('POST', `/webhooks/endpoints/${endpointId}/${what}`, since);

  await call('POST', `/students/${erased}/erase`);
  await call('POST', `/students/${exported}/export`);
  const leaving = await api.institution();
  await offboard(api, leaving);
  const [advanced, reset] = [await openSandboxOf(api, institution), await openSandboxOf(api, await api.institution())];
  await advanced.advance(3_600);
  await reset.call('DELETE', '/sandbox');
  return [
    () => call('DELETE', `/guardians/${link.id}`),
    () => api.platform('POST', `/developers/${developer.id}/revoke`),
    () => api.platform('POST', `/institutions/${institution.id}/coupon-batches/${batch.id}/approve`, { body: {} }),
    () => call('POST', `/exams/${examId}/close`, {}),
    () => api.platform('POST', `/institutions/${leaving.id}/offboard/cancel`),
  ];
}

it('when Temporal lost its data, a workflow of every type that was open is started again and ends', async () => {
  const ends = await startEveryType();
  await relayAll();
  const open = await openWorkflows();
  expect([...new Set(open.map(({ name }) => name)), ...healedWithDeliveries].sort()).toEqual(Object.keys(startDescriptions).sort());
  for (const { workflow_id: id } of open) expect([id, await statusOf(id)]).toEqual([id, 'RUNNING']);

  await loseTemporal();
  worker = await startTestWorker(api.settings, { lostWorkflowsEveryMs: 500, temporalLooksEveryMs: 500 });
  await checkNow();
  await eventually('every workflow in the new Temporal', async () => !(await Promise.all(open.map(({ workflow_id: id }) => statusOf(id)))).includes('none'));
  for (const end of ends) expect(await end()).toMatchObject({ status: 200 });
  for (const { workflow_id: id } of open) await eventually(`the end of ${id}`, async () => (await statusOf(id)) === 'COMPLETED');
  const metrics = await readMetrics(worker.port);
  for (const name of new Set(open.map((row) => row.name))) expect([name, metrics.get(`workflows_restarted_total{workflow_type="${name}"}`)]).toEqual([name, open.filter((row) => row.name === name).length]);

  await checkNow();
  await eventually('no open workflow', async () => {
    const rows = await openWorkflows();
    return !open.some(({ workflow_id: id }) => rows.some((row) => row.workflow_id === id));
  });
});

it('a worker that runs on makes Schedules again, and what waits is started again once', async () => {
  const [student = ''] = await seedStudents(api, institution, 1, 'later');
  const { data: link } = await inviteGuardian(api, institution, student, newGuardianEmail());
  const id = `${link.id}:1`;
  await eventually('the invitation', async () => (await statusOf(id)) === 'RUNNING');
  await loseTemporal();
  const { client } = openTestTemporal(api.settings);
  await eventually('every Schedule', async () => {
    const found = await Promise.all(schedules.map(({ scheduleId }) => client.schedule.getHandle(scheduleId).describe().then(() => true, () => false)));
    return !found.includes(false);
  });

  await checkNow();
  await eventually('the invitation again', async () => (await statusOf(id)) === 'RUNNING');
  const before = await client.workflow.getHandle(id).describe();
  // A workflow that is there is only looked at.
  await checkNow();
  await eventually('a check', async () => (await sql('SELECT 1 FROM open_workflows WHERE workflow_id = $1 AND check_after > now()', [id])).length === 1);
  expect(await sql('SELECT 1 FROM owed_workflows WHERE workflow_id = $1', [id])).toEqual([]);
  expect((await client.workflow.getHandle(id).describe()).runId).toBe(before.runId);
});
