import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { batchesOf, bulkItems, studentsOf } from '../support/batches';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { closeTestTemporal } from '../support/temporal';

/** How often each interruption is tried; the trial of a release sets it to 20. */
const rounds = Number(process.env.REPEATED_CALLS_ROUNDS ?? 1);
const delaysMs = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500];
const students = 200;

let api: TestApi;
let programs: Programs;
let subject: Program;
let worker: Program;

beforeAll(async () => {
  api = await startTestApi();
  programs = openPrograms();
  [subject, worker] = await Promise.all([programs.api(api.settings), programs.worker(api.settings)]);
});

afterAll(async () => {
  await programs.end();
  await closeTestTemporal();
  await api.stop();
});

interface Answer {
  status: number;
  text: string;
}

/** Posts the bulk call; undefined where the connection broke before its answer. */
async function post({ apiKey }: TestInstitution, key: string | undefined, signal?: AbortSignal): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${subject.baseUrl}/students/bulk`, {
      method: 'POST',
      ...(signal === undefined ? {} : { signal }),
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
      body: JSON.stringify({ students: bulkItems(students) }),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

/** Repeats the call with its key until it is answered, as a client does. */
async function repeat(institution: TestInstitution, key: string): Promise<Answer> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const answer = await post(institution, key);
    if (answer !== undefined && ![409, 429, 500, 502, 503, 504].includes(answer.status)) return answer;
    await pause(100);
  }
  throw new Error('No answer within a minute');
}

async function expectOnce(institution: TestInstitution, key: string, first: Answer | undefined): Promise<void> {
  const [second, third] = [await repeat(institution, key), await repeat(institution, key)];
  expect(second.status).toBe(200);
  expect(third).toEqual(second);
  if (first?.status === 200) expect(second).toEqual(first);
  const answered: { data: { results: { id: string; login_email: string }[] } } = JSON.parse(second.text);
  const there = [...(await studentsOf(api, institution)).values()].flat();
  expect(there).toHaveLength(students);
  expect(new Set(answered.data.results.map(({ id }) => id))).toEqual(new Set(there.map(({ id }) => id)));
  expect(await batchesOf(api, institution)).toHaveLength(1);
}

it.each(delaysMs)('a bulk call of 200 that is cut off after %s ms and sent again with its key makes 200 students, each once', async (delayMs) => {
  for (let round = 0; round < rounds; round += 1) {
    const institution = await api.institution();
    const key = randomUUID();
    const aborter = new AbortController();
    const lost = post(institution, key, aborter.signal);
    await pause(delayMs);
    aborter.abort();
    await expectOnce(institution, key, await lost);
  }
});

it.each(delaysMs)('so does a call where the API is killed by kill -9 after %s ms', async (delayMs) => {
  for (let round = 0; round < rounds; round += 1) {
    const institution = await api.institution();
    const key = randomUUID();
    const lost = post(institution, key);
    await pause(delayMs);
    await subject.kill();
    const first = await lost;
    subject = await programs.api(api.settings);
    await expectOnce(institution, key, first);
  }
});

it.each([5, 50])('so does a call where the worker is killed by kill -9 after %s ms', async (delayMs) => {
  for (let round = 0; round < rounds; round += 1) {
    const institution = await api.institution();
    const key = randomUUID();
    const lost = post(institution, key);
    await pause(delayMs);
    await worker.kill();
    worker = await programs.worker(api.settings);
    await expectOnce(institution, key, await lost);
  }
});

it('without a key a call that is sent again creates again, as before', async () => {
  const institution = await api.institution();
  await post(institution, undefined);
  await post(institution, undefined);
  expect([...(await studentsOf(api, institution)).values()].flat()).toHaveLength(2 * students);
});
