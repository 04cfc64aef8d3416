import { emailLeaseMs } from '../../db/repositories/emails/emailRows';
import { emailsPerBatch } from '../../domain/emails/claimedEmail';
import type { examNotification } from '../../workflows/examNotification';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { assignAndAnnounce } from '../support/examNotices';
import { highestLiveMegabytes, liveMegabytes } from '../support/liveMemory';
import { seedExam } from '../support/seed/exams';
import { seedGroup } from '../support/seed/groups';
import { seedPersonalEmails, seedStudents } from '../support/seed/students';
import { startStubMailServer, type StubMailServer } from '../support/stubMailServer';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';

const groups = 20;
const membersEach = 500;
const recipients = groups * membersEach;
/** What the worker's live memory may grow by while it sends thousands of emails, in MB: it has ten of them at a time. It grows by less than 2, and by 7 if it keeps all. */
const growthMb = 4;
/** After so many emails the worker has loaded all that it needs to send them. */
const warmUpEmails = 500;

let office: StubMailServer;
let api: TestApi;
let programs: Programs;
let worker: Program;
let institution: TestInstitution;

beforeAll(async () => {
  office = await startStubMailServer();
  api = await startTestApi({ smtpUrl: office.url });
  programs = openPrograms();
  worker = await programs.worker(api.settings);
});

beforeEach(async () => {
  institution = await api.institution();
  office.accepted.length = 0;
});

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
    [examId, emailLeaseMs],
  );

/** An exam that was just announced to groups of new students with a mailbox each. */
async function announced(groupCount: number, members: number): Promise<string> {
  const students = await seedStudents(api, institution, groupCount * members);
  await seedPersonalEmails(api, students);
  const groupIds: string[] = [];
  for (let nth = 0; nth < groupCount; nth += 1) groupIds.push(await seedGroup(api, institution, students.slice(nth * members, (nth + 1) * members)));
  const examId = await seedExam(api, institution);
  await assignAndAnnounce(api, institution, examId, groupIds);
  return examId;
}

const resultOf = (examId: string) => openTestTemporal(api.settings).client.workflow.getHandle<typeof examNotification>(`${examId}:1`).result();

it('a worker that is asked to stop ends the ten that it is sending, and its successor repeats none', async () => {
  const examId = await announced(1, 1_000);
  await eventually('a first part of the emails', () => office.accepted.length > 100);
  expect(await worker.stop()).toMatchObject({ code: 0, signal: null });
  expect([office.accepted.length < 1_000, await lapseClaims(examId)]).toEqual([true, []]);
  worker = await programs.worker(api.settings);
  expect(await resultOf(examId)).toMatchObject({ outcome: 'done', sent: 1_000 });
  expect([office.accepted.length, new Set(office.accepted.map(({ to }) => to)).size]).toEqual([1_000, 1_000]);
});

it('kill -9 of the worker among 10,000 emails: none is missing, at most ten are repeated under the same Message-ID, memory stays bounded', async () => {
  const examId = await announced(groups, membersEach);
  await eventually('a third of the emails', () => office.accepted.length > recipients / 3);
  await worker.kill();
  const takenByFirst = office.accepted.length;
  expect(takenByFirst).toBeLessThan(recipients);
  const inFlight = await lapseClaims(examId);
  expect(inFlight.length).toBeLessThanOrEqual(emailsPerBatch);

  worker = await programs.worker(api.settings);
  await eventually('another email', () => office.accepted.length > takenByFirst);
  const result = resultOf(examId);
  await eventually('the emails of a worker that is warm', () => office.accepted.length > takenByFirst + warmUpEmails);
  const atFirst = await liveMegabytes(worker);
  const most = await highestLiveMegabytes(worker, result);
  expect(await result).toEqual({ outcome: 'done', total: recipients, sent: recipients, refused: 0, skipped: 0 });
  expect(most - atFirst).toBeLessThan(growthMb);

  const messageIds = new Map<string, Set<string>>();
  for (const { to, messageId } of office.accepted) messageIds.set(to, (messageIds.get(to) ?? new Set()).add(messageId));
  expect([messageIds.size, new Set(office.accepted.map(({ messageId }) => messageId)).size]).toEqual([recipients, recipients]);
  expect(office.accepted.length - recipients).toBeLessThanOrEqual(inFlight.length);
});
