import { withConnection } from '../../local/programs/postgres';
import { startTestApi, type TestApi } from '../support/api';
import { eventually } from '../support/eventually';
import { endReadOnly, offboard, offboardingOf, untilErased } from '../support/offboarding';
import { createResource } from '../support/resourceFactories';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess';

let api: TestApi;
let worker: WorkerProcess;

beforeAll(async () => {
  api = await startTestApi();
  worker = startWorkerProcess(api.settings);
});

afterAll(async () => {
  await closeTestTemporal();
  await worker.kill();
  await api.stop();
});

it('an erasure goes on after the worker that did it was killed in its middle, and its counts are as if it had not been', async () => {
  const temporal = openTestTemporal(api.settings);
  const institution = await api.institution();
  for (const _nth of [1, 2, 3]) await createResource.student(api, institution);
  const removed = async () => (await offboardingOf(api, institution)).removed.map(({ store }: { store: string }) => store);
  await offboard(api, institution);
  await withConnection(api.stack.ownerDatabaseUrl, async (client) => {
    // The people are held, so that the erasure stops before them.
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM users WHERE institution_id = $1 FOR UPDATE', [institution.id]);
    await endReadOnly(api, temporal, institution);
    await eventually('a store that is empty', async () => (await removed()).length > 0);
    await worker.kill();
    await client.query('ROLLBACK');
  });
  expect((await offboardingOf(api, institution)).status).toBe('erasing');
  worker = startWorkerProcess(api.settings);
  const erased = await untilErased(api, temporal, institution);
  // The admin and three students.
  expect(erased.removed.find(({ store }: { store: string }) => store === 'users').count).toBe(4);
  expect(await api.api.domain.database.sql('SELECT 1 FROM institutions WHERE id = $1', [institution.id])).toEqual([]);
});
