import type { RunningWorker } from '../../../worker/start';
import type { TemporalConnection } from '../../../outbound/temporal/engine';
import { newId } from '../../../domain/ids';
import { backlogWorkflowId } from '../../../domain/outbox/workflows';
import { startTestApi, type TestApi, type TestInstitution } from '../../support/api';
import { batchesOf, postStudentsBulk } from '../../support/batches';
import { activeDeveloper } from '../../support/developers';
import { updateDelivery } from '../../support/deliveries';
import { createResource } from '../../support/resourceFactories';
import { seedDeadDeliveries } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { eventually } from '../../support/eventually';
import { startReceiver, type Receiver } from '../../support/receiver';
import { stack } from '../../support/stack';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy';
import { closeTestTemporal, openTestTemporal } from '../../support/temporal';
import { waitUntilPolling, startTestWorker } from '../../support/worker';

let receiver: Receiver;
let proxy: TcpProxy;
let api: TestApi;
let temporal: TemporalConnection;
let worker: RunningWorker;
let institution: TestInstitution;

beforeAll(async () => {
  receiver = await startReceiver();
  const { temporalAddress } = await stack();
  proxy = await startTcpProxy(temporalAddress);
  api = await startTestApi({
    webhookTrustedHosts: [receiver.host],
    temporalAddress: proxy.address,
    temporalUiUrl: 'https://temporal.example.org/ui/',
  });
  const direct = { ...api.settings, temporalAddress };
  temporal = openTestTemporal(direct);
  worker = await startTestWorker(direct);
  await waitUntilPolling(worker);
  institution = await api.institution();
});

afterAll(async () => {
  await proxy.resume();
  await closeTestTemporal();
  await worker.stop();
  await api.stop();
  await proxy.close();
  await receiver.close();
});

const look = (id: string) => api.platform('GET', `/workflows/${id}`);

/** A bulk replay of one delivery; returns its id and its endpoint's. */
async function replayed(): Promise<{ id: string; endpointId: string }> {
  const endpointId = await seedEndpoint(api, institution, receiver.url);
  await seedDeadDeliveries(api, institution, endpointId, 1);
  const body = { since: '2026-01-01T00:00:00Z' };
  const { data } = await api.call('POST', `/webhooks/endpoints/${endpointId}/replay-dead`, { key: institution.apiKey, body });
  return { id: data.workflow_id, endpointId };
}

/** The workflow of a delivery whose next attempt is an hour away, on a task queue; answers the ids of delivery and endpoint. */
async function waiting(taskQueue: string): Promise<{ id: string; endpointId: string }> {
  const endpointId = await seedEndpoint(api, institution, receiver.url);
  const [id = ''] = await seedDeadDeliveries(api, institution, endpointId, 1);
  const inHours = (hours: number): Date => new Date(Date.now() + hours * 3_600_000);
  await updateDelivery(api, id, { status: 'retrying', retriedBy: 'workflow', firstAttemptAt: new Date(), nextAttemptAt: inHours(1), deadlineAt: inHours(12) });
  await temporal.client.workflow.start('webhookDelivery', {
    workflowId: id,
    taskQueue,
    args: [{ deliveryId: id, institutionId: institution.id, endpointId, eventType: 'student.email_mapped', cycle: 1 }],
  });
  return { id, endpointId };
}

it('shows a closed workflow: status, times, summary and where Temporal shows it', async () => {
  const { id, endpointId } = await replayed();
  const { data } = await eventually('its end', async () => {
    const answer = await look(id);
    return answer.data?.status === 'completed' && answer;
  });
  expect(data).toEqual({
    workflow_id: id,
    type: 'bulkReplay',
    status: 'completed',
    started_at: expect.any(String),
    closed_at: expect.any(String),
    summary: `Replay 1 dead delivery to ${endpointId}`,
    details: null,
    outcome: 'done',
    progress: { done: 1, total: 1 },
    result: { replayed: 1, total: 1 },
    url: `https://temporal.example.org/ui/namespaces/${api.settings.temporalNamespace}/workflows/${id}`,
  });
  expect(Date.parse(data.closed_at)).toBeGreaterThanOrEqual(Date.parse(data.started_at));
});

it('shows of a bulk call how many were created and how many failed', async () => {
  await api.call('POST', '/students', { key: institution.apiKey, body: { personal_email: 'ada@bulk.example' } });
  await postStudentsBulk(api, institution, [{}, { personal_email: 'ada@bulk.example' }, {}]);
  const [batch] = await batchesOf(api, institution);
  const { data } = await eventually('its end', async () => {
    const answer = await look(batch?.id ?? '');
    return answer.data?.status === 'completed' && answer;
  });
  expect([data.outcome, data.progress, data.result]).toEqual(['done', { done: 3, total: 3 }, { created: 2, failed: 1 }]);
});

it('shows the progress of a workflow that has ended by its own result, though no worker hosts it any more', async () => {
  const { temporalAddress } = await stack();
  const taskQueue = `${api.settings.taskQueue}-gone`;
  const host = await startTestWorker({ ...api.settings, temporalAddress, taskQueue });
  const endpointId = await seedEndpoint(api, institution, receiver.url);
  await seedDeadDeliveries(api, institution, endpointId, 2);
  const id = `rpl_gone_${institution.id}`;
  const replay = { replayId: id, institutionId: institution.id, endpointId, sinceMs: 0, untilMs: Date.now() + 60_000, matched: 2 };
  const workflow = await temporal.client.workflow.start('bulkReplay', { workflowId: id, taskQueue, args: [replay] });
  await workflow.result();
  await host.stop();
  expect((await look(id)).data).toMatchObject({ status: 'completed', outcome: 'done', progress: { done: 2, total: 2 } });
});

it('shows the status of a running workflow, in its own words', async () => {
  const { id, endpointId } = await waiting(api.settings.taskQueue);
  const { data } = await eventually('its details', async () => {
    const answer = await look(id);
    return answer.data?.details !== null && answer;
  });
  expect(data).toMatchObject({ type: 'webhookDelivery', status: 'running', closed_at: null, summary: null, progress: null });
  expect(data.details).toContain(`**student.email_mapped** to \`${endpointId}\` waits for attempt 13`);
});

it('of a workflow that no worker hosts answers without details, within its time', async () => {
  const { id } = await waiting(`${api.settings.taskQueue}-nobody`);
  const before = Date.now();
  const { status, data } = await look(id);
  expect([status, data.status, data.details]).toEqual([200, 'running', null]);
  expect(Date.now() - before).toBeLessThan(5_000);
});

describe('the id of an endpoint', () => {
  /** An endpoint whose newest backlog is run `newest`, each of its runs being known to Temporal as ended. */
  async function withBacklogs(newest: number): Promise<string> {
    const endpointId = await seedEndpoint(api, institution, receiver.url);
    await api.api.domain.database.sql('UPDATE webhook_endpoints SET backlog_run = $2 WHERE id = $1', [endpointId, newest]);
    for (let run = 1; run <= newest; run += 1) {
      const workflow = await temporal.client.workflow.start('endpointBacklog', {
        workflowId: backlogWorkflowId(endpointId, run),
        taskQueue: `${api.settings.taskQueue}-nobody`,
        args: [{ endpointId, institutionId: institution.id, run }],
      });
      await workflow.terminate();
    }
    return endpointId;
  }

  it('names its newest backlog workflow, deleted or not; earlier ones are named with their run', async () => {
    const endpointId = await withBacklogs(2);
    expect((await look(endpointId)).data).toMatchObject({ workflow_id: `${endpointId}:2`, type: 'endpointBacklog' });
    expect((await look(`${endpointId}:1`)).data).toMatchObject({ workflow_id: `${endpointId}:1`, type: 'endpointBacklog' });
    await api.call('DELETE', `/webhooks/endpoints/${endpointId}`, { key: institution.apiKey });
    expect((await look(endpointId)).data.workflow_id).toBe(`${endpointId}:2`);
  });

  it('names none where nothing has waited for it yet, or there is no such endpoint', async () => {
    for (const id of [await withBacklogs(0), 'we_unknown']) {
      const { status, body } = await look(id);
      expect([status, body.error, body.message]).toEqual([404, 'not_found', 'No such workflow.']);
    }
  });
});

it('of the id of a guardian link or a developer names the workflow of the newest invitation', async () => {
  const { sql } = api.api.domain.database;
  const link = await createResource.guardian(api, institution);
  const { id: developer } = await activeDeveloper(api, institution);
  await sql('UPDATE guardian_links SET invitation = 2 WHERE id = $1', [link]);
  const taskQueue = `${api.settings.taskQueue}-nobody`;
  for (const [type, workflowId] of [['guardianInvitation', `${link}:2`], ['developerInvitation', `${developer}:7`]] as const) {
    if (type === 'developerInvitation') await sql('UPDATE developers SET invitation = 7 WHERE user_id = $1', [developer]);
    const workflow = await temporal.client.workflow.start(type, { workflowId, taskQueue, args: [{}] });
    expect((await look(workflowId.replace(/:.*/, ''))).data).toMatchObject({ workflow_id: workflowId, type });
    await workflow.terminate();
  }
  expect((await look('gdn_unknown')).status).toBe(404);
  const removed = newId('gdn');
  for (const number of [1, 2]) {
    const workflow = await temporal.client.workflow.start('guardianInvitation', { workflowId: `${removed}:${number}`, taskQueue, args: [{}] });
    await workflow.terminate();
    expect((await look(removed)).data).toMatchObject({ workflow_id: `${removed}:${number}`, status: 'terminated' });
  }
});

it('of erase_ or export_ and the id of a person names the newest erasure or export of the person', async () => {
  const { sql } = api.api.domain.database;
  const person = await createResource.student(api, institution);
  const taskQueue = `${api.settings.taskQueue}-nobody`;
  for (const number of [1, 2]) {
    await sql("INSERT INTO erasures (person_id, number, institution_id, kind, requested_at, removed, subject_sealed) VALUES ($1, $2, $3, 'student', now(), '{}', 'sealed')", [person, number, institution.id]);
    await sql("INSERT INTO person_exports (id, institution_id, person_id, number, with_recordings, status, created_at) VALUES ($1, $2, $3, $4, false, 'preparing', now())", [newId('exp'), institution.id, person, number]);
    for (const [type, bare] of [['personErasure', `erase_${person}`], ['personExport', `export_${person}`]] as const) {
      const workflow = await temporal.client.workflow.start(type, { workflowId: `${bare}:${number}`, taskQueue, args: [{}] });
      await workflow.terminate();
      expect((await look(bare)).data).toMatchObject({ workflow_id: `${bare}:${number}`, type, status: 'terminated' });
    }
  }
  expect((await look('erase_stu_unknown')).status).toBe(404);
});

it('is not_found where Temporal knows none', async () => {
  const { status, body } = await look('whd_unknown');
  expect([status, body.error, body.message]).toEqual([404, 'not_found', 'No such workflow.']);
});

it('is the platform\'s alone', async () => {
  const { status, body } = await api.platform('GET', '/workflows/whd_unknown', { headers: { 'x-actor': institution.adminId } });
  expect([status, body.error]).toEqual([403, 'forbidden']);
});

describe.each([
  ['refuses connections', () => proxy.refuse()],
  ['hangs', async () => proxy.hang()],
])('while Temporal %s', (_how, goAway) => {
  afterEach(() => proxy.resume());

  it('says so within a few seconds, and finds it again once it is back', async () => {
    const { id } = await waiting(api.settings.taskQueue);
    await goAway();
    const before = Date.now();
    const { status, body } = await look(id);
    expect([status, body.error, body.message]).toEqual([500, 'internal_error', expect.stringMatching(/^Temporal does not answer/)]);
    expect(Date.now() - before).toBeLessThan(5_000);
    await proxy.resume();
    await eventually('the workflow', async () => (await look(id)).status === 200);
  });
});
