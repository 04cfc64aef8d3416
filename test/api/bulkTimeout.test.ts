import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../local/ports';
import { searchAttributes } from '../../workflows/contract';
import type { bulkProvisioning } from '../../workflows/bulkProvisioning';
import { startTestApi, type ApiResponse, type TestApi, type TestInstitution } from '../support/api';
import { batchesOf, postStudentsBulk, lockEmail, studentsOf, bulkItems, type BulkResult } from '../support/batches';
import { stack } from '../support/stack';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { waitUntilPolling, startTestWorker } from '../support/worker';

const waitMs = 1_500;

/** Longer than the call may wait, by closing the batch and the way through HTTP on a busy machine; the default is 30 s. */
const timeoutMs = waitMs + 5_000;

const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
afterAll(closeTestTemporal);

async function startApi(overrides: { temporalAddress?: string; taskQueue?: string } = {}): Promise<{ api: TestApi; institution: TestInstitution }> {
  const api = await startTestApi({ bulkWaitMs: waitMs, ...overrides });
  stops.push(() => api.stop());
  return { api, institution: await api.institution() };
}

/** A worker of the API under test, on the real Temporal. */
async function startWorker(api: TestApi): Promise<void> {
  const { temporalAddress } = await stack();
  const worker = await startTestWorker({ ...api.settings, temporalAddress });
  stops.push(() => worker.stop());
  await waitUntilPolling(worker);
}

/** Lets a port that was closed lead to the real Temporal from now on. */
async function open(port: number): Promise<void> {
  const [host = '', to] = (await stack()).temporalAddress.split(':');
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const onward = connect(Number(to), host);
    for (const one of [socket, onward]) sockets.add(one.on('error', () => one.destroy()));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
}

const refused = ({ status, body }: ApiResponse): unknown[] => [status, body.error];
const statusesOf = async (api: TestApi, institution: TestInstitution): Promise<string[]> =>
  (await batchesOf(api, institution)).map(({ status }) => status);

// Contract: errors.500.internal-error
it('with Temporal away the call answers 500 in time and creates nobody, not even when Temporal is back', async () => {
  const port = await freePort();
  const { api, institution } = await startApi({ temporalAddress: `127.0.0.1:${port}` });
  const called = performance.now();
  expect(refused(await postStudentsBulk(api, institution, [...bulkItems(3), { personal_email: 'ada@example.org' }]))).toEqual([500, 'internal_error']);
  expect(performance.now() - called).toBeLessThan(timeoutMs);
  expect(await statusesOf(api, institution)).toEqual(['closed']);
  expect(await api.api.domain.database.sql('SELECT 1 FROM provisioning_rows WHERE personal_email_sealed IS NOT NULL')).toEqual([]);

  await open(port);
  await startWorker(api);
  const otherInstitution = await api.institution();
  expect((await postStudentsBulk(api, otherInstitution, bulkItems(3))).data).toMatchObject({ created: 3 });
  expect((await studentsOf(api, institution)).size).toBe(0);
});

it('with Temporal away a call without a valid item is answered all the same', async () => {
  const { api, institution } = await startApi({ temporalAddress: `127.0.0.1:${await freePort()}` });
  expect((await postStudentsBulk(api, institution, [null])).data).toMatchObject({ created: 0, failed: 1 });
});

it('without a worker the call answers 500 in time, and a worker that comes later finds the batch closed', async () => {
  const { api, institution } = await startApi();
  expect(refused(await postStudentsBulk(api, institution, bulkItems(3)))).toEqual([500, 'internal_error']);
  const [batch] = await batchesOf(api, institution);
  await startWorker(api);
  const workflow = openTestTemporal(api.settings).client.workflow.getHandle<typeof bulkProvisioning>(batch?.id ?? '');
  expect(await workflow.result()).toEqual({ created: 0, failed: 3 });
  expect((await workflow.describe()).typedSearchAttributes.get(searchAttributes.outcome)).toBe('closed');
  expect((await studentsOf(api, institution)).size).toBe(0);
});

it('given up midway, what was created is answered as created and the rest never will be', async () => {
  const { api, institution } = await startApi({ taskQueue: 'bulk-midway' });
  await startWorker(api);
  await postStudentsBulk(api, institution, [{}]);
  const students = bulkItems(200);
  students[150] = { full_name: 'Ada', student_id: 'S-150', personal_email: 'ada@example.org' };
  students[160] = { full_name: '', student_id: 'S-160' };
  const held = await lockEmail(api, institution, 'ada@example.org');
  const { status, data } = await postStudentsBulk(api, institution, students);
  await held.end('ROLLBACK');

  expect([status, data.created, data.failed]).toEqual([200, 100, 100]);
  const results: BulkResult[] = data.results;
  expect(results.map(({ error }) => error ?? 'created')).toEqual(
    results.map(({ index }) => (index < 100 ? 'created' : index === 160 ? 'validation_error' : 'internal_error')),
  );
  const [, batch] = await batchesOf(api, institution);
  const workflow = openTestTemporal(api.settings).client.workflow.getHandle<typeof bulkProvisioning>(batch?.id ?? '');
  expect(await workflow.result()).toEqual({ created: 100, failed: 100 });
  expect(await statusesOf(api, institution)).toEqual(['done', 'closed']);
  const answered = new Map(results.slice(0, 100).map(({ index, id, login_email }) => [`S-${index}`, [{ id, login_email }]]));
  const inDatabase = await studentsOf(api, institution);
  inDatabase.delete('');
  expect(inDatabase).toEqual(answered);
});
