import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningWorker } from '../../worker/start';
import { publicOperations } from '../../api/operations/public';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { publishedCurriculum } from '../support/curricula';
import { seedDeadDeliveries } from '../support/seed/deliveries';
import { seedSubmission } from '../support/seed/submissions';
import { seedSeat } from '../support/seed/seats';
import { isTestOnly } from '../support/operations';
import { runCollection, type Collection, type RequestResult } from '../support/postmanRun';
import { waitUntilPolling, startTestWorker } from '../support/worker';

const collection: Collection = JSON.parse(readFileSync(join(__dirname, '../../docs/postman.json'), 'utf8'));
const requests = collection.item.flatMap(({ item }) => item);
const operations = publicOperations.map(({ method, path }) => `${method} ${path}`);

let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postman-'));
  writeFileSync(join(folder, 'hidden-tests.zip.enc'), 'a file');
  api = await startTestApi();
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
  institution = await api.institution();
  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 1_000 } });
  await publishedCurriculum(api, {});
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  rmSync(folder, { recursive: true });
});

/** What apps and receivers do meanwhile: a student signs in and hands in, a delivery is given up. */
const meanwhile = {
  'GET /licenses/:id/devices': async (values: ReadonlyMap<string, string>) => seedSeat(api, institution, { userId: values.get('student_id') ?? '' }),
  'GET /submissions': async (values: ReadonlyMap<string, string>) => seedSubmission(api, institution, { examId: values.get('exam_id') ?? '', studentId: values.get('student_id') ?? '' }),
  'GET /webhooks/deliveries': async (values: ReadonlyMap<string, string>) => seedDeadDeliveries(api, institution, values.get('endpoint_id') ?? '', 1),
};

const failed = (ran: readonly RequestResult[]): RequestResult[] => ran.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
const skipped = (ran: readonly RequestResult[]): string[] => ran.filter(({ outcome }) => outcome === 'skipped').map(({ request }) => request);

/** The operations of the sandbox, which take test keys alone. */
const sandboxRequests = publicOperations.filter(isTestOnly).map(({ method, path }) => `${method} ${path}`).sort();

it('a run of docs/postman.json in its order passes, every operation of it', async () => {
  const ran = await runCollection(collection, { folder, before: meanwhile, variables: { base_url: api.baseUrl, api_key: institution.apiKey, upload_file: 'hidden-tests.zip.enc' } });
  expect(failed(ran)).toEqual([]);
  expect(skipped(ran).sort()).toEqual(sandboxRequests);
  expect([...new Set(ran.map(({ request }) => request))].sort()).toEqual(operations.sort());
});

it('a second run passes too, with nothing set but key and address, and skips what there is nothing for', async () => {
  const ran = await runCollection(collection, { folder, variables: { base_url: api.baseUrl, api_key: institution.apiKey } });
  expect(failed(ran)).toEqual([]);
  expect(skipped(ran).filter((request) => !sandboxRequests.includes(request)).sort()).toEqual([
    'GET /submissions/:id', 'GET /submissions/:id/events', 'GET /webhooks/deliveries/:id', 'POST /exams/:id/files', 'POST /licenses/:id/devices/:seatId/revoke',
    'POST /submissions/:id/grade', 'POST /submissions/:id/void', 'POST /webhooks/deliveries/:id/replay',
  ]);
});

it('carries no id, no moment and no address that could be used once alone', () => {
  const fixed = requests.filter(({ request }) => /_[0-9a-hjkmnp-tv-z]{26}\b|\.[0-9a-f]{8}@|\b20\d\d-\d\d-\d\dT|[a-z]@example\.org/.test(JSON.stringify([request.url.variable, request.body])));
  expect(fixed.map(({ name }) => name)).toEqual([]);
});
