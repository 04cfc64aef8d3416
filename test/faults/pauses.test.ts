import { deliveriesOf, type StoredDelivery } from '../support/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution } = fixture;

let endpointId: string;

beforeEach(async () => {
  fixture.receiver.respond = () => 500;
  endpointId = await seedEndpoint(api, institution, fixture.receiver.url, { events: ['student.created'] });
});

const createStudent = () => api.call('POST', '/students', { key: institution.apiKey, body: {} });
const setStatus = (status: 'active' | 'paused') => api.call('PATCH', `/webhooks/endpoints/${endpointId}`, { key: institution.apiKey, body: { status } });

async function deliveries(): Promise<StoredDelivery[]> {
  const rows = [...(await deliveriesOf(api, endpointId)).values()];
  return rows.sort((a, b) => a.eventCreatedAt.getTime() - b.eventCreatedAt.getTime());
}

const allAre = (status: string, count: number) => async () => {
  const rows = await deliveries();
  return rows.length === count && rows.every((row) => row.status === status) && rows;
};

const workflow = (id: string) => fixture.temporal.client.workflow.getHandle(id);
const ended = async (id: string): Promise<string> => (await workflow(id).describe()).status.name;

/** Three deliveries that were refused once, their workflows waiting for the second attempt. */
async function threeRetrying(): Promise<StoredDelivery[]> {
  for (let nth = 0; nth < 3; nth += 1) await createStudent();
  const rows = await eventually('three retrying', allAre('retrying', 3));
  for (const { id } of rows) await eventually('its workflow', () => ended(id).catch(() => undefined));
  return rows;
}

it('a pause while deliveries are retried: nothing is posted, their attempts find it and hold, new ones are held; resumed, all go out', async () => {
  const before = await threeRetrying();
  const pausedAt = Date.now();
  await setStatus('paused');
  fixture.receiver.respond = () => 200;
  fixture.receiver.received.length = 0;
  for (let nth = 0; nth < 2; nth += 1) await createStudent();
  // The retries fall due about 5 s after the first attempts.
  await eventually('five held', allAre('held', 5));
  expect(fixture.receiver.received).toHaveLength(0);

  const resumedAt = Date.now();
  await setStatus('active');
  const rows = await eventually('five delivered', allAre('delivered', 5));
  expect(fixture.receiver.received).toHaveLength(5);
  const moved = before.map((row, nth) => (rows[nth]?.deadlineAt?.getTime() ?? 0) - (row.deadlineAt?.getTime() ?? 0));
  for (const ms of moved) {
    expect(ms).toBeGreaterThanOrEqual(resumedAt - pausedAt - 1_000);
    expect(ms).toBeLessThanOrEqual(Date.now() - pausedAt);
  }
  for (const { id } of before) await eventually('the end of its workflow', async () => (await ended(id)) === 'COMPLETED');
});

it('a deletion while deliveries are retried cancels them, and their workflows end', async () => {
  // Their workflows wait so long that only a signal ends them.
  fixture.receiver.respond = () => ({ status: 503, headers: { 'retry-after': '3600' } });
  const before = await threeRetrying();
  fixture.receiver.received.length = 0;
  await api.call('DELETE', `/webhooks/endpoints/${endpointId}`, { key: institution.apiKey });
  expect((await deliveries()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  for (const { id } of before) {
    await eventually('the end of its workflow', async () => (await ended(id)) === 'COMPLETED');
    await expect(workflow(id).result()).resolves.toEqual({ outcome: 'cancelled', attempts: 1 });
  }
  expect(fixture.receiver.received).toHaveLength(0);
});

it('a deletion while deliveries are held cancels them, and their workflows end', async () => {
  const before = await threeRetrying();
  await setStatus('paused');
  await createStudent();
  await eventually('four held', allAre('held', 4));
  await api.call('DELETE', `/webhooks/endpoints/${endpointId}`, { key: institution.apiKey });
  expect((await deliveries()).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'cancelled'));
  for (const { id } of before) await eventually('the end of its workflow', async () => (await ended(id)) === 'COMPLETED');
});
