import type { RunningWorker } from '../../activities/start';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import type { examNotification } from '../../workflows/examNotification';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { plantSubmission } from '../support/examWork';
import { eventually } from '../support/eventually';
import { plantExam, plantGuardian, plantReader } from '../support/exams';
import { historyText } from '../support/histories';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { polling, startTestWorker } from '../support/worker';

let api: TestApi;
let worker: RunningWorker;
let temporal: TemporalConnection;
let north: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
  temporal = openTestTemporal(api.settings);
  worker = await startTestWorker(api.settings);
  await polling(worker);
  north = await api.institution();
});

afterAll(async () => {
  await closeTestTemporal();
  await worker.stop();
  await api.stop();
});

it('a resubmission request mails the student and their verified guardians, once each, with the feedback, which no history holds', async () => {
  const studentId = await plantReader(api, north, 'planted.student@mail.example', 'Planted Ada');
  await plantGuardian(api, north, studentId, 'planted.guardian@mail.example');
  const examId = await plantExam(api, north, { title: 'Planted title' });
  const id = await plantSubmission(api, north, { examId, studentId });
  const { status } = await api.call('POST', `/submissions/${id}/grade`, { key: north.apiKey, body: { score: -1, feedback: 'Planted feedback' } });
  expect(status).toBe(200);

  const workflow = temporal.client.workflow.getHandle<typeof examNotification>(`${examId}:1`);
  await eventually('the workflow', () => workflow.describe().catch(() => undefined));
  expect(await workflow.result()).toEqual({ outcome: 'done', total: 2, sent: 2, refused: 0, skipped: 0 });
  const letters = (await api.stack.mail.messages()).filter(({ messageId }) => messageId?.startsWith(`<${examId}.`) === true);
  expect(letters.map(({ to, subject }) => [to?.[0]?.address, subject]).sort()).toEqual([
    ['planted.guardian@mail.example', 'Planted Ada: please submit again: Planted title'],
    ['planted.student@mail.example', 'Please submit again: Planted title'],
  ]);
  for (const { text } of letters) expect(text).toContain('> Planted feedback');
  expect(await historyText(workflow)).not.toMatch(/planted/i);
});
