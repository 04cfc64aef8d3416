import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../domain/ids';
import type { RunningWorker } from '../../worker/start';
import { realActors } from '../support/actors';
import type { ApiResponse, TestInstitution } from '../support/api';
import { appFixture } from '../support/appFixture';
import { eventually } from '../support/eventually';
import { startReceiver, type Receiver } from '../support/receiver';
import { openSmallDisk } from '../support/smallDisk';
import { multipart, multipartType, storedFiles, upload as uploadExamFile, zipOf } from '../support/uploads';
import { startTestWorker } from '../support/worker';

const mebibyte = 1024 ** 2;
const disk = openSmallDisk({ usableBytes: 48 * mebibyte, floorBytes: 32 * mebibyte });
/** What others have on the disk, and delete in the end. */
const othersFile = join(disk.folder, 'others');
writeFileSync(othersFile, Buffer.alloc(16 * mebibyte, 1));

let receiver: Receiver;
let worker: RunningWorker;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => worker.stop());

const fixture = appFixture({
  institutionPer: 'file',
  settings: () => ({
    webhookTrustedHosts: [receiver.host], minimumFreeBytes: disk.minimumFreeBytes,
    fileStore: { kind: 'folder', folder: join(disk.folder, 'files') }, uploadSpoolFolder: join(disk.folder, 'spool'),
  }),
});
const { api, institution, sql } = fixture;

beforeAll(async () => {
  worker = await startTestWorker(api.settings);
});
afterAll(async () => {
  await receiver.close();
  disk.remove();
});

/** A neighbour: an institution with a student in an app, an endpoint and a file that is downloaded. */
async function neighbour(): Promise<() => Promise<void>> {
  const own: TestInstitution = await api.institution();
  const actors = realActors(api, own);
  const successful = async (method: string, path: string, body?: object) => succeeded(`${method} ${path}`, await api.call(method, path, { key: own.apiKey, body }));
  await successful('POST', '/webhooks/endpoints', { url: receiver.url, events: ['student.created', 'exam.published'] });
  const student = await successful('POST', '/students', { personal_email: `${newId('stu')}@mail.example` });
  succeeded('sign-in', await actors.signIn(student));
  const group = await successful('POST', '/groups', { name: 'Class', faculty_id: own.adminId, student_ids: [student.id] });
  const handout = await successful('POST', '/exams', { faculty_id: own.adminId, title: 'Handout', publish: false });
  succeeded('file', await uploadExamFile(api, own.apiKey, handout.id, zipOf(Buffer.alloc(50_000, 1))));
  const [file] = await sql<{ id: string; filename: string; content_type: string }>('SELECT id, filename, content_type FROM files WHERE institution_id = $1', [own.id]);
  return async () => {
    await successful('POST', '/students', { full_name: 'Ada Lovelace' });
    await successful('GET', `/students/${student.id}`);
    await successful('GET', '/students');
    const exam = await successful('POST', '/exams', { faculty_id: own.adminId, title: 'Algebra', group_ids: [group.id] });
    const attempt = succeeded('attempt', await actors.startAttempt(student, exam.id));
    const submission = succeeded('submission', await actors.submit(student, attempt.id, { text: 'The derivative is 2x.' }));
    await successful('POST', `/submissions/${submission.id}/grade`, { score: 80 });
    await successful('GET', '/events');
    const { url } = await api.api.domain.files.signedUrl({ id: file?.id ?? '', filename: file?.filename ?? '', contentType: file?.content_type ?? '' }, new Date());
    const download = await fetch(url.replace(api.settings.publicBaseUrl, api.baseUrl));
    if (download.status !== 200 || (await download.arrayBuffer()).byteLength < 50_000) throw new Error(`The download was answered ${download.status}`);
  };
}

function succeeded(what: string, { status, body, data }: ApiResponse): ApiResponse['data'] {
  if (status !== 200) throw new Error(`${what} was answered ${status} ${JSON.stringify(body)}`);
  return data;
}

/** Neighbours who call one after the other until they are stopped; returns how long their rounds took, in ms. */
function keepCalling(rounds: readonly (() => Promise<void>)[]): { taken: () => number[]; stop: () => Promise<void> } {
  let taken: number[] = [];
  let isStopped = false;
  const calling = Promise.all(rounds.map(async (round) => {
    while (!isStopped) {
      const begun = performance.now();
      await round();
      taken.push(performance.now() - begun);
    }
  }));
  // A failure is thrown by `stop`.
  calling.catch(() => undefined);
  return {
    taken: () => {
      const sinceLast = taken;
      taken = [];
      return sinceLast;
    },
    stop: async () => {
      isStopped = true;
      await calling;
    },
  };
}

const percentile95 = (values: readonly number[]): number => [...values].sort((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? 0;

it('one student fills the disk: a quota refuses, then the floor, and nothing is half there; ten other institutions go on as before, and with space so do uploads', async () => {
  const { who, attemptId } = await fixture.studentWithAttempt();
  const upload = async (bytes: number): Promise<ApiResponse> => {
    const parts = [{ name: 'kind', bytes: 'recording' }, { name: 'file', filename: 'segment.webm', type: 'video/webm', bytes: Buffer.alloc(bytes, 1) }];
    const response = await fetch(`${api.platformUrl}/app/attempts/${attemptId}/files`, {
      method: 'POST', headers: { authorization: `Bearer ${who.session}`, 'content-type': multipartType }, body: new Uint8Array(multipart(...parts)),
    });
    const body = JSON.parse(await response.text());
    return { status: response.status, headers: response.headers, body, data: body.data };
  };
  const setQuotas = (body: object) => api.platform('PUT', `/institutions/${institution.id}/quotas`, { body });
  const neighbours = await Promise.all(Array.from({ length: 10 }, neighbour));
  const calls = keepCalling(neighbours);
  const rounds = async (count: number): Promise<number[]> => {
    calls.taken();
    const taken: number[] = [];
    await eventually('rounds of the neighbours', () => taken.push(...calls.taken()) >= count);
    return taken;
  };
  const quiet = percentile95(await rounds(60));

  // The quotas refuse long before the disk is full.
  await setQuotas({ attempt_bytes: 4 * mebibyte });
  for (let nth = 0; nth < 4; nth += 1) expect((await upload(mebibyte)).status).toBe(200);
  expect(await upload(mebibyte)).toMatchObject({ status: 422, body: { error: 'file_too_large', message: expect.stringContaining('quota attempt_bytes:') } });
  await setQuotas({ student_bytes: 6 * mebibyte });
  for (let nth = 0; nth < 2; nth += 1) expect((await upload(mebibyte)).status).toBe(200);
  expect(await upload(mebibyte)).toMatchObject({ status: 422, body: { error: 'file_too_large', message: expect.stringContaining('quota student_bytes:') } });
  await setQuotas({});

  // Without end, four at a time, also when they are refused.
  const answers: ApiResponse[] = [];
  let isStopped = false;
  const uploading = Promise.all(Array.from({ length: 4 }, async () => {
    while (!isStopped) answers.push(await upload(mebibyte));
  }));
  const refused = () => answers.filter(({ status }) => status === 503);
  await eventually('the floor is reached', () => refused().length > 20);
  const full = percentile95(await rounds(60));
  isStopped = true;
  await uploading;
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 503]);
  expect(refused()[0]).toMatchObject({ body: { success: false, error: 'rate_limiter_unavailable', message: 'There is no room for uploads at the moment; try again later.' } });
  expect(refused()[0]?.headers.get('retry-after')).toBe('5');
  // It is measured once a second, and what is on its way by then is cut off.
  expect(disk.freeBytes()).toBeGreaterThan(disk.minimumFreeBytes - 24 * mebibyte);
  expect(full).toBeLessThan(3 * quiet + 1_000);

  await calls.stop();
  await requireNothingHalfThere();
  const [{ undelivered } = { undelivered: -1 }] = await eventually('webhooks', async () => {
    const found = await sql<{ undelivered: number }>("SELECT count(*)::int AS undelivered FROM deliveries WHERE status <> 'delivered'");
    return found[0]?.undelivered === 0 && found;
  });
  expect(undelivered).toBe(0);

  rmSync(othersFile);
  await eventually('uploads are taken again', async () => (await upload(mebibyte)).status === 200);
  await requireNothingHalfThere();
});

/** Every file on the disk has a row that says it is stored, and no unfinished upload is left. */
async function requireNothingHalfThere(): Promise<void> {
  const rows = await sql<{ id: string; status: string; bytes: number }>("SELECT id, status, size::int AS bytes FROM files WHERE status <> 'removed' ORDER BY id");
  expect(rows.filter(({ status }) => status !== 'stored')).toEqual([]);
  expect(storedFiles(api.settings)).toEqual({ stored: rows.map(({ id }) => id), spooled: [] });
  const stored = rows.filter(({ bytes }) => bytes === mebibyte).reduce((sum, { bytes }) => sum + bytes, 0);
  expect((await api.platform('GET', `/institutions/${institution.id}/quotas`)).data.stored_bytes).toBe(stored);
}
