import { startTestApi, type TestApi } from '../support/api';
import { postStudentsBulk, lockEmail, studentsOf, bulkItems, type BulkResult } from '../support/batches';
import { eventsOf } from '../support/events';
import { eventually } from '../support/eventually';
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

it('a worker killed in the middle of a batch leaves no student out and creates none twice', async () => {
  const institution = await api.institution();
  const students = bulkItems(200);
  students[150] = { full_name: 'Ada', student_id: 'S-150', personal_email: 'ada@example.org' };
  const held = await lockEmail(api, institution, 'ada@example.org');
  const calling = postStudentsBulk(api, institution, students);
  await eventually('the first chunk', async () => (await studentsOf(api, institution)).size === 100);
  await held.waitForBlockedTransaction();

  await worker.kill();
  worker = startWorkerProcess(api.settings);
  await held.end('ROLLBACK');

  const { status, data } = await calling;
  expect([status, data.created, data.failed]).toEqual([200, 200, 0]);
  const results: BulkResult[] = data.results;
  const answered = new Map(results.map(({ index, id, login_email }) => [`S-${index}`, [{ id, login_email }]]));
  expect(await studentsOf(api, institution)).toEqual(answered);
  expect((await eventsOf(api, institution)).filter(({ type }) => type === 'student.created')).toHaveLength(200);
});
