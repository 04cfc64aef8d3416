import { readFileSync } from 'node:fs';
import { startTestApi, type TestApi } from '../../support/api';
import { plantExam } from '../../support/exams';
import { openPrograms, type Program } from '../../support/programs';
import { filesKept, multipart, sendUpload, sha256, zipOf } from '../../support/uploads';

const megabyte = 1024 * 1024;
const uploads = 20;

let api: TestApi;
let program: Program;
const programs = openPrograms();

beforeAll(async () => {
  api = await startTestApi();
  program = await programs.api(api.settings);
});

afterAll(async () => {
  await programs.end();
  await api.stop();
});

/** The most memory that a process has ever had resident, in bytes. */
function peakOf({ pid }: Program): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

// A gigabyte at the disk's own speed, which is not what is measured.
it('20 uploads of 50 MiB at once leave the API below 250 MB', async () => {
  const north = await api.institution();
  const examId = await plantExam(api, north);
  const bytes = Buffer.alloc(50 * megabyte, 'a file of an exam ');
  const body = multipart(zipOf(bytes));
  const answers = await Promise.all(Array.from({ length: uploads }, () => sendUpload(program.baseUrl, north.apiKey, examId, body)));
  const peak = peakOf(program);
  expect(answers.map(({ status, data }) => [status, data?.sha256])).toEqual(answers.map(() => [200, sha256(bytes)]));
  expect(filesKept(api.settings)).toEqual({ stored: answers.map(({ data }) => data.ref).sort(), spooled: [] });
  expect(peak).toBeLessThan(250_000_000);
}, 240_000);
