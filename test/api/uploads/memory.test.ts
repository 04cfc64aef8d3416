import { readFileSync, writeFileSync } from 'node:fs';
import { residentMegabytes } from '../../../bench/memory';
import { startTestApi, type TestApi } from '../../support/api';
import { seedExam } from '../../support/seed/exams';
import { openPrograms, type Program } from '../../support/programs';
import { storedFiles, multipart, sendUpload, sha256, zipOf } from '../../support/uploads';

const megabyte = 1024 * 1024;
const uploads = 20;
/** What 20 uploads, a gigabyte, may take beyond what a small one before them has left the process with, in MB; they take about 40. */
const growthMb = 100;
/** What the process may take in all, in MB: growth alone would let it begin with any amount; it takes about 200. */
const mostMb = 300;

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

/** Resets the peak resident memory of a process. */
const forgetPeak = ({ pid }: Program): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** The most memory that a process has had resident since it was forgotten, in MB. */
function peakOf({ pid }: Program): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

// A gigabyte at the disk's own speed, which is not what is measured.
it('20 uploads of 50 MiB at once take at most 100 MB beyond what a small one before them has left, and leave the API below 300 MB', async () => {
  const institution = await api.institution();
  const examId = await seedExam(api, institution);
  const bytes = Buffer.alloc(50 * megabyte, 'a file of an exam ');
  const body = multipart(zipOf(bytes));
  const small = multipart(zipOf(Buffer.alloc(megabyte)));
  const upload = (sent: typeof body) => sendUpload(program.baseUrl, institution.apiKey, examId, sent);
  const first = await upload(small);
  forgetPeak(program);
  const before = residentMegabytes(program.pid);
  const answers = await Promise.all(Array.from({ length: uploads }, () => upload(body)));
  const peak = peakOf(program);
  const expected = [200, sha256(bytes)];
  expect(answers.map(({ status, data }) => [status, data?.sha256])).toEqual(answers.map(() => expected));
  expect(storedFiles(api.settings)).toEqual({ stored: [first, ...answers].map(({ data }) => data.ref).sort(), spooled: [] });
  expect(peak - before).toBeLessThan(growthMb);
  expect(peak).toBeLessThan(mostMb);
}, 240_000);
