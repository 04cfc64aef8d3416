import { temporal as proto } from '@temporalio/proto';
import type { WorkerQueue } from '../../config/workerSlots';
import type { RunningWorker } from '../../worker/start';
import { emailsQueue, webhooksQueue } from '../../workflows/contract';
import { apiFixture } from '../support/apiFixture';
import { deliveriesOf } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { guardianInvitationEmail, inviteGuardian } from '../support/guardians';
import { startReceiver, type Receiver } from '../support/receiver';
import { seedEndpoint } from '../support/seed/endpoints';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { startTestWorker, waitUntilPolling } from '../support/worker';

let receiver: Receiver;
const workers: RunningWorker[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  await closeTestTemporal();
  await Promise.all(workers.map((worker) => worker.stop()));
});
const { api, institution } = apiFixture({ settings: () => ({ webhookTrustedHosts: [receiver.host] }) });
afterAll(() => receiver.close());

async function serve(queue: WorkerQueue): Promise<void> {
  const { workerSlots } = api.settings;
  const worker = await startTestWorker({ ...api.settings, workerSlots: { ...workerSlots, queues: new Set([queue]) } });
  workers.push(worker);
  await waitUntilPolling(worker);
}

/** The kinds of tasks of a task queue for which somebody polls. */
async function polledKinds(taskQueue: string): Promise<string[]> {
  const { client } = openTestTemporal(api.settings);
  const { TASK_QUEUE_TYPE_ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW } = proto.api.enums.v1.TaskQueueType;
  const kinds = { activities: TASK_QUEUE_TYPE_ACTIVITY, workflows: TASK_QUEUE_TYPE_WORKFLOW };
  const polled = await Promise.all(Object.entries(kinds).map(async ([kind, taskQueueType]) => {
    const { pollers } = await client.workflowService.describeTaskQueue({ namespace: api.settings.temporalNamespace, taskQueue: { name: taskQueue }, taskQueueType });
    return pollers.length > 0 ? [kind] : [];
  }));
  return polled.flat();
}

it('a process that serves emails alone takes no attempts and no workflows; with one for each queue a retry and an email go through all three', async () => {
  const { taskQueue } = api.settings;
  receiver.respond = (_request, nth) => (nth === 1 ? 500 : 200);
  const endpointId = await seedEndpoint(api, institution, receiver.url, { events: ['student.created'] });
  await serve('emails');
  const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada' } });
  const { data: link } = await inviteGuardian(api, institution, student.id, 'ada@mail.example');
  await eventually('the emails queue is polled', async () => (await polledKinds(emailsQueue(taskQueue))).length > 0);
  expect([await polledKinds(emailsQueue(taskQueue)), await polledKinds(webhooksQueue(taskQueue)), await polledKinds(taskQueue)]).toEqual([['activities'], [], []]);
  expect([receiver.received.length, (await deliveriesOf(api, endpointId)).size]).toEqual([0, 0]);

  await serve('attempts');
  await eventually('the first attempt', () => receiver.received.length === 1);
  const [deliveryId = ''] = (await deliveriesOf(api, endpointId)).keys();
  await eventually('its record', async () => (await deliveriesOf(api, endpointId)).get(deliveryId)?.attempts === 1);
  expect(await polledKinds(taskQueue)).toEqual([]);

  await serve('workflows');
  expect(await polledKinds(taskQueue)).toEqual(['activities', 'workflows']);
  expect((await guardianInvitationEmail(api, link.id)).subject).toContain('Ada');
  expect((await api.platform('POST', `/institutions/${institution.id}/deliveries/${deliveryId}/retry-now`)).status).toBe(200);
  await eventually('the delivery', async () => (await deliveriesOf(api, endpointId)).get(deliveryId)?.status === 'delivered');
  expect(receiver.received.length).toBe(2);
});
