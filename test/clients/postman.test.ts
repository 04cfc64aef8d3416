import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningWorker } from '../../worker/start';
import { resources } from '../../api/operations/public';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { publishedCurriculum } from '../support/curricula';
import { plantDead } from '../support/deadDeliveries';
import { plantSubmission } from '../support/examAttempts';
import { runCollection, type Collection, type Ran } from '../support/postmanRun';
import { plantSeat } from '../support/seats';
import { polling, startTestWorker } from '../support/worker';

const collection: Collection = JSON.parse(readFileSync(join(__dirname, '../../docs/postman.json'), 'utf8'));
const requests = collection.item.flatMap(({ item }) => item);
const operations = resources.map(({ method, path }) => `${method} ${path}`);

let api: TestApi;
let worker: RunningWorker;
let north: TestInstitution;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postman-'));
  writeFileSync(join(folder, 'hidden-tests.zip.enc'), 'a file');
  api = await startTestApi();
  worker = await startTestWorker(api.settings);
  await polling(worker);
  north = await api.institution();
  await api.platform('PUT', `/institutions/${north.id}/allowance`, { body: { allowance_cents: 1_000 } });
  await publishedCurriculum(api, {});
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  rmSync(folder, { recursive: true });
});

/** What apps and receivers do meanwhile: a student signs in and hands in, a delivery is given up. */
const meanwhile = {
  'GET /licenses/:id/devices': async (values: ReadonlyMap<string, string>) => plantSeat(api, north, { userId: values.get('student_id') ?? '' }),
  'GET /submissions': async (values: ReadonlyMap<string, string>) => plantSubmission(api, north, { examId: values.get('exam_id') ?? '', studentId: values.get('student_id') ?? '' }),
  'GET /webhooks/deliveries': async (values: ReadonlyMap<string, string>) => plantDead(api, north, values.get('endpoint_id') ?? '', 1),
};

const failed = (ran: readonly Ran[]): Ran[] => ran.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
const skipped = (ran: readonly Ran[]): string[] => ran.filter(({ outcome }) => outcome === 'skipped').map(({ request }) => request);

it('a run of docs/postman.json in its order passes, every operation of it', async () => {
  const ran = await runCollection(collection, { folder, before: meanwhile, variables: { base_url: api.baseUrl, api_key: north.apiKey, upload_file: 'hidden-tests.zip.enc' } });
  expect(failed(ran)).toEqual([]);
  expect(skipped(ran)).toEqual([]);
  expect([...new Set(ran.map(({ request }) => request))].sort()).toEqual(operations.sort());
});

it('a second run passes too, with nothing set but key and address, and skips what there is nothing for', async () => {
  const ran = await runCollection(collection, { folder, variables: { base_url: api.baseUrl, api_key: north.apiKey } });
  expect(failed(ran)).toEqual([]);
  expect(skipped(ran).sort()).toEqual([
    'GET /submissions/:id', 'GET /submissions/:id/events', 'GET /webhooks/deliveries/:id', 'POST /exams/:id/files', 'POST /licenses/:id/devices/:seatId/revoke',
    'POST /submissions/:id/grade', 'POST /submissions/:id/void', 'POST /webhooks/deliveries/:id/replay',
  ]);
});

it('carries no id, no moment and no address that could be used once alone', () => {
  const fixed = requests.filter(({ request }) => /_[0-9a-hjkmnp-tv-z]{26}\b|\.[0-9a-f]{8}@|\b20\d\d-\d\d-\d\dT|[a-z]@example\.org/.test(JSON.stringify([request.url.variable, request.body])));
  expect(fixed.map(({ name }) => name)).toEqual([]);
});
