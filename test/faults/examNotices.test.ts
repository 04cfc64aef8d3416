import { residentMegabytes } from '../../bench/memory';
import { noticeLeaseMs } from '../../db/repositories/examNoticeLetters';
import { lettersAtOnce } from '../../domain/exams/notices/nextLetters';
import type { examNotification } from '../../workflows/examNotification';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { announce, plantExam, plantGroup, plantMailboxes } from '../support/exams';
import { plantStudents } from '../support/manyStudents';
import { openPostOffice, type PostOffice } from '../support/postOffice';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';

const groups = 20;
const membersEach = 500;
const recipients = groups * membersEach;
/** What the worker's memory may grow by while it sends, in MB: garbage not yet collected, not letters, which are ten at a time. */
const growthMb = 120;

let office: PostOffice;
let api: TestApi;
let programs: Programs;
let worker: Program;
let north: TestInstitution;

beforeAll(async () => {
  office = await openPostOffice();
  api = await startTestApi({ smtpUrl: office.url });
  programs = openPrograms();
  [worker, north] = await Promise.all([programs.worker(api.settings), api.institution()]);
}, 60_000);

afterAll(async () => {
  await programs.end();
  await closeTestTemporal();
  await api.stop();
  await office.close();
});

/** Lets the claims of a worker that is gone lapse at once, as if their minute had passed. */
const lapseClaims = (examId: string) =>
  api.api.domain.database.sql<{ recipient_id: string }>(
    `UPDATE exam_notice_recipients SET try_after = now() WHERE exam_id = $1 AND status = 'waiting' AND try_after > now() AND try_after <= now() + $2 * interval '1 millisecond'
     RETURNING recipient_id`,
    [examId, noticeLeaseMs],
  );

it('kill -9 of the worker among 10,000 letters: none is missing, at most ten are repeated under the same Message-ID, memory stays bounded', async () => {
  const students = await plantStudents(api, north, recipients);
  await plantMailboxes(api, students);
  const groupIds: string[] = [];
  for (let nth = 0; nth < groups; nth += 1) groupIds.push(await plantGroup(api, north, students.slice(nth * membersEach, (nth + 1) * membersEach)));
  const examId = await plantExam(api, north);
  await announce(api, north, examId, groupIds);

  await eventually('a third of the letters', () => office.taken.length > recipients / 3, 60_000);
  await worker.kill();
  const takenByFirst = office.taken.length;
  expect(takenByFirst).toBeLessThan(recipients);
  const inFlight = await lapseClaims(examId);
  expect(inFlight.length).toBeLessThanOrEqual(lettersAtOnce);

  worker = await programs.worker(api.settings);
  await eventually('another letter', () => office.taken.length > takenByFirst, 30_000);
  const atFirst = residentMegabytes(worker.pid);
  const result = openTestTemporal(api.settings).client.workflow.getHandle<typeof examNotification>(`${examId}:1`).result();
  let most = atFirst;
  const measuring = setInterval(() => { most = Math.max(most, residentMegabytes(worker.pid)); }, 100);
  expect(await result).toEqual({ outcome: 'done', total: recipients, sent: recipients, refused: 0, skipped: 0 });
  clearInterval(measuring);
  expect(most - atFirst).toBeLessThan(growthMb);

  const messageIds = new Map<string, Set<string>>();
  for (const { to, messageId } of office.taken) messageIds.set(to, (messageIds.get(to) ?? new Set()).add(messageId));
  expect([messageIds.size, new Set(office.taken.map(({ messageId }) => messageId)).size]).toEqual([recipients, recipients]);
  expect(office.taken.length - recipients).toBeLessThanOrEqual(inFlight.length);
}, 120_000);
