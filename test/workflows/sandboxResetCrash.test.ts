import { startTestApi, type TestApi } from '../support/api';
import { eventually } from '../support/eventually';
import { withLockedRows } from '../support/lockedRows';
import { createResource } from '../support/resourceFactories';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess';

let api: TestApi;
let worker: WorkerProcess;

beforeAll(async () => {
  api = await startTestApi();
  worker = startWorkerProcess(api.settings);
});

afterAll(async () => {
  await worker.kill();
  await api.stop();
});

it('a reset goes on after the worker that did it was killed in its middle', async () => {
  const sandbox = await api.sandboxOf(await api.institution());
  const isIn = async () => (await api.call('GET', '/me', { key: sandbox.apiKey })).status === 200;
  // The worker does one reset first, so that it polls when the rows are locked, which they cannot be for long.
  await api.call('DELETE', '/sandbox', { key: sandbox.apiKey });
  await eventually('the end of the first reset', isIn);
  const { admin } = (await api.call('GET', '/institution', { key: sandbox.apiKey })).data;
  await createResource.submission(api, { ...sandbox, adminId: admin.id });
  const rowsOf = async (table: string) => (await api.api.domain.database.sql(`SELECT 1 FROM ${table} WHERE institution_id = $1`, [sandbox.id])).length;
  await withLockedRows(api, 'SELECT 1 FROM users WHERE institution_id = $1 FOR UPDATE', [sandbox.id], async (held) => {
    expect((await api.call('DELETE', '/sandbox', { key: sandbox.apiKey })).status).toBe(200);
    await eventually('submissions that are erased', async () => (await rowsOf('submissions')) === 0);
    await worker.kill();
    expect((await api.call('GET', '/me', { key: sandbox.apiKey })).body.error).toBe('conflict');
    await held.release();
  });
  worker = startWorkerProcess(api.settings);
  await eventually('the end of the reset', isIn);
  expect([await rowsOf('users'), await rowsOf('exams')]).toEqual([1, 0]);
});
