import { withConnection } from '../../local/programs/postgres';
import { startTestApi, type TestApi } from '../support/api';
import { eventually } from '../support/eventually';
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

it('an erasure goes on after the worker that did it was killed in its middle, and its counts are as if it had not been', async () => {
  const institution = await api.institution();
  const call = (method: string, path: string, body?: object) => api.call(method, path, { key: institution.apiKey, body });
  const { sql } = api.api.domain.database;
  const erase = async (id: string) => (await call('POST', `/students/${id}/erase`)).status;
  const erasureOf = async (id: string) => (await call('GET', `/students/${id}/erasure`)).data;
  // The worker does one erasure first, so that it polls when the rows are locked, which they cannot be for long.
  const before = await createResource.student(api, institution);
  await erase(before);
  await eventually('the end of the first erasure', async () => (await erasureOf(before)).status === 'done');
  const submission = await createResource.submission(api, institution);
  const [row] = await sql<{ student_id: string }>("UPDATE submissions SET text = 'What I think' WHERE id = $1 RETURNING student_id", [submission]);
  const id = row?.student_id ?? '';
  // Not as the service, for whose transactions an erasure waits before.
  await withConnection(api.stack.ownerDatabaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM submissions WHERE id = $1 FOR UPDATE', [submission]);
    expect(await erase(id)).toBe(200);
    await eventually('files that are gone through', async () => (await erasureOf(id)).removed.some(({ store }: { store: string }) => store === 'files'));
    await worker.kill();
    await client.query('ROLLBACK');
  });
  expect((await erasureOf(id)).status).toBe('running');
  worker = startWorkerProcess(api.settings);
  const erasure = await eventually('the end of the erasure', async () => {
    const found = await erasureOf(id);
    return found.status === 'done' && found;
  });
  expect(erasure.removed.find(({ store }: { store: string }) => store === 'submissions').count).toBe(1);
  expect(await sql('SELECT text FROM submissions WHERE id = $1', [submission])).toEqual([{ text: null }]);
});
