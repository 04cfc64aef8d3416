import { freePort } from '../../../local/ports';
import type { RunningWorker } from '../../../worker/start';
import { startTestApi, type ApiResponse, type TestApi, type TestInstitution } from '../../support/api';
import { batchesOf, bulkItems, lockEmail, studentsOf } from '../../support/batches';
import { eventually } from '../../support/eventually';
import { startTestWorker, waitUntilPolling } from '../../support/worker';

let api: TestApi;
let impatient: TestApi;
let cutOff: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
  impatient = await startTestApi({ bulkWaitMs: 1_000 });
  cutOff = await startTestApi({ temporalAddress: `127.0.0.1:${await freePort()}`, bulkWaitMs: 5_000 });
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
});

beforeEach(async () => {
  institution = await api.institution();
});

afterAll(async () => {
  await worker.stop();
  await cutOff.stop();
  await impatient.stop();
  await api.stop();
});

const post = (students: unknown, key = 'k', at = api): Promise<ApiResponse> =>
  at.call('POST', '/students/bulk', { key: institution.apiKey, body: { students }, headers: { 'idempotency-key': key } });
const isReplayed = ({ headers }: ApiResponse): boolean => headers.get('idempotent-replayed') === 'true';
const counts = async (): Promise<[students: number, batches: number]> => {
  const students = [...(await studentsOf(api, institution)).values()].flat().length;
  return [students, (await batchesOf(api, institution)).length];
};

it('a repeat gets the same results in the same order, those of invalid items too, and creates nobody', async () => {
  const items = [...bulkItems(3), { license_days: 0 }, { full_name: 'Last' }];
  const first = await post(items);
  expect([first.data.created, first.data.failed, isReplayed(first)]).toEqual([4, 1, false]);
  const second = await post(items);
  expect([second.body, isReplayed(second)]).toEqual([first.body, true]);
  expect(await counts()).toEqual([4, 1]);
});

it('without a key everybody is created again, as before', async () => {
  const call = () => api.call('POST', '/students/bulk', { key: institution.apiKey, body: { students: bulkItems(2) } });
  await call();
  await call();
  expect(await counts()).toEqual([4, 2]);
});

it('the same key with other items is a conflict, and nobody is created', async () => {
  await post(bulkItems(2));
  const other = await post(bulkItems(3));
  expect([other.status, other.body.error]).toEqual([409, 'conflict']);
  expect(await counts()).toEqual([2, 1]);
});

it('twenty at the same time make one batch, and all get its results', async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => post(bulkItems(5))));
  expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(responses.filter((response) => !isReplayed(response))).toHaveLength(1);
  expect(await counts()).toEqual([5, 1]);
});

it('a repeat while the batch is in progress waits for it, also where the first call was cut off', async () => {
  const items = [...bulkItems(2), { personal_email: 'ada@example.org' }];
  const held = await lockEmail(api, institution, 'ada@example.org');
  const aborter = new AbortController();
  const lost = fetch(`${api.baseUrl}/students/bulk`, {
    method: 'POST',
    signal: aborter.signal,
    headers: { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
    body: JSON.stringify({ students: items }),
  }).then(({ status }) => status, () => 'no answer');
  await held.waitForBlockedTransaction();
  aborter.abort();
  expect(await lost).toBe('no answer');
  const again = post(items);
  await held.end('ROLLBACK');
  expect([(await again).data.created, isReplayed(await again)]).toEqual([3, true]);
  expect(await counts()).toEqual([3, 1]);
});

it('a repeat begins the batch of a call that stored it and got no further', async () => {
  const items = bulkItems(3);
  const stuck = post(items, 'k', cutOff);
  await eventually('the batch to be stored', async () => (await batchesOf(api, institution)).length === 1);
  const second = await post(items);
  expect([second.data.created, isReplayed(second)]).toEqual([3, true]);
  // The call that could reach no Temporal finds the batch done by another.
  expect((await stuck).data).toEqual(second.data);
  expect(await counts()).toEqual([3, 1]);
});

it('a batch that its call gave up is closed: a repeat says so with the same results, and begins no second one', async () => {
  const items = [{ personal_email: 'ada@example.org' }, ...bulkItems(2)];
  const held = await lockEmail(api, institution, 'ada@example.org');
  const first = await post(items, 'k', impatient);
  expect([first.status, first.body.error]).toEqual([500, 'internal_error']);
  await held.end('ROLLBACK');
  const second = await post(items);
  expect([second.status, second.body]).toEqual([500, { ...first.body, request_id: second.body.request_id }]);
  await eventually('the workflow to end', async () => (await batchesOf(api, institution)).every(({ status }) => status === 'closed'));
  expect(await counts()).toEqual([0, 1]);
});
