import { startTestApi, type TestApi } from '../../support/api';
import { highestLiveMegabytes, liveMegabytes } from '../../support/liveMemory';
import { seedExam } from '../../support/seed/exams';
import { openPrograms, type Program } from '../../support/programs';
import { storedFiles, multipart, sendUpload, sha256, zipOf } from '../../support/uploads';

const megabyte = 1024 * 1024;
const uploads = 20;
/** What 20 uploads, a gigabyte, may add to the live memory, in MB: 2 for each. */
const growthMb = 40;
/** The live memory of the process in all, in MB: growth alone would let it begin with any amount; it has about 60. */
const mostMb = 150;

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

// A gigabyte at the disk's own speed, which is not what is measured.
it('20 uploads of 50 MiB at once add at most 40 MB to the live memory of the API, which stays below 150 MB', async () => {
  const institution = await api.institution();
  const examId = await seedExam(api, institution);
  const bytes = Buffer.alloc(50 * megabyte, 'a file of an exam ');
  const body = multipart(zipOf(bytes));
  const small = multipart(zipOf(Buffer.alloc(megabyte)));
  const upload = (sent: typeof body) => sendUpload(program.baseUrl, institution.apiKey, examId, sent);
  const first = await upload(small);
  const before = await liveMegabytes(program);
  const uploading = Promise.all(Array.from({ length: uploads }, () => upload(body)));
  const most = await highestLiveMegabytes(program, uploading);
  const answers = await uploading;
  const expected = [200, sha256(bytes)];
  expect(answers.map(({ status, data }) => [status, data?.sha256])).toEqual(answers.map(() => expected));
  expect(storedFiles(api.settings)).toEqual({ stored: [first, ...answers].map(({ data }) => data.ref).sort(), spooled: [] });
  expect(most - before).toBeLessThan(growthMb);
  expect(most).toBeLessThan(mostMb);
});
