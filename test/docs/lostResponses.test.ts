import type { RunningWorker } from '../../worker/start';
import { environmentSchema } from '../../config/settings';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { batchesOf, postStudentsBulk, lockEmail, studentsOf, bulkItems } from '../support/batches';
import { section } from '../support/documents';
import { eventually } from '../support/eventually';
import { startResponseDroppingProxy } from '../support/responseDroppingProxy';
import { waitUntilPolling, startTestWorker } from '../support/worker';

let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
});

beforeEach(async () => {
  institution = await api.institution();
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
});

const page = section('docs/syncing.md', '## Creating once');

/** The items of a call that are not there, looked up as the page says. */
async function missing(items: readonly { student_id: string }[]): Promise<string[]> {
  const totals = await Promise.all(items.map(async ({ student_id }) => {
    const { data } = await api.call('GET', '/students', { key: institution.apiKey, query: { student_id } });
    return { student_id, total: data.total };
  }));
  return totals.filter(({ total }) => total === 0).map(({ student_id }) => student_id);
}

it('a bulk call whose answer is lost goes on: a look at once misses its students, one after its wait finds them, so that nobody is created twice', async () => {
  const items = [...bulkItems(2), { full_name: 'Ada', student_id: 'S-2', personal_email: 'ada@example.org' }];
  const held = await lockEmail(api, institution, 'ada@example.org');
  const aborter = new AbortController();
  const lost = fetch(`${api.baseUrl}/students/bulk`, {
    method: 'POST',
    signal: aborter.signal,
    headers: { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ students: items }),
  }).then(({ status }) => status, () => 'no answer');
  await held.waitForBlockedTransaction();
  aborter.abort();
  expect(await lost).toBe('no answer');
  expect(await missing(items)).toEqual(['S-0', 'S-1', 'S-2']);

  await held.end('ROLLBACK');
  await eventually('the call to be over', async () => (await batchesOf(api, institution)).every(({ status }) => status !== 'open'));
  const again = (await missing(items)).map((student_id) => ({ student_id }));
  if (again.length > 0) await postStudentsBulk(api, institution, again);
  const created = await studentsOf(api, institution);
  expect([...created].map(([externalId, students]) => [externalId, students.length]).sort()).toEqual([['S-0', 1], ['S-1', 1], ['S-2', 1]]);
});

it('the page says to wait for longer than the call may take, before anything is looked up without a key', () => {
  const { flags }: { flags: { default: number } } = environmentSchema.describe().keys.BULK_WAIT_MS;
  const seconds = flags.default / 1_000 + 5;
  expect(page).toContain(`wait until ${seconds} s have passed since you sent it`);
  expect(page.indexOf(`${seconds} s have passed`)).toBeLessThan(page.indexOf('look before you send again'));
});

it('a call whose answer is lost is sent again with its key, as the page says, and is done once', async () => {
  expect(page).toContain('send the same call with the same key again');
  const proxy = await startResponseDroppingProxy(api.baseUrl);
  try {
    proxy.dropNextResponses(2);
    const send = () =>
      fetch(`${proxy.baseUrl}/students`, {
        method: 'POST',
        headers: { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json', 'idempotency-key': 'one' },
        body: '{"student_id":"S-9"}',
      }).then(({ status }) => status, () => 'no answer');
    expect([await send(), await send(), await send()]).toEqual(['no answer', 'no answer', 200]);
  } finally {
    await proxy.close();
  }
  expect((await studentsOf(api, institution)).get('S-9')).toHaveLength(1);
});
