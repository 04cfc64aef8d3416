import { emailLeaseMs } from '../../db/repositories/emails/emailRows';
import { emailsPerBatch } from '../../domain/emails/claimedEmail';
import type { weeklyGuardianReport } from '../../workflows/weeklyGuardianReport';
import type { weeklyReportLetters } from '../../workflows/weeklyReportLetters';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { seedStudents } from '../support/seed/students';
import { reportTime, reportWeek } from '../support/weeklyReports';
import { seedEnrollments, seedLearningDay } from '../support/seed/enrollments';
import { seedGuardians } from '../support/seed/guardians';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';

const students = 1_000;

let api: TestApi;
let programs: Programs;
let worker: Program;
let institution: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
  institution = await api.institution();
  programs = openPrograms();
  worker = await programs.worker(api.settings);
});

afterAll(async () => {
  await programs.end();
  await closeTestTemporal();
  await api.stop();
});

const sql = <Row extends object>(text: string, values: unknown[]) => api.api.domain.database.sql<Row>(text, values);
const sentSoFar = async () => (await sql("SELECT 1 FROM weekly_report_letters WHERE institution_id = $1 AND status = 'sent'", [institution.id])).length;

/** Lets the claims of a worker that is gone lapse at once, as if their minute had passed. */
const lapseClaims = () =>
  sql(
    `UPDATE weekly_report_letters SET try_after = now() WHERE institution_id = $1 AND status = 'waiting' AND try_after > now()
        AND try_after <= now() + $2 * interval '1 millisecond' RETURNING guardian_id`,
    [institution.id, emailLeaseMs],
  );

it('kill -9 of the worker among the emails of 1,000 students: each guardian gets the right numbers, at most ten emails are repeated under the same Message-ID', async () => {
  const ids = await seedStudents(api, institution, students);
  await seedEnrollments(api, institution, ids);
  await seedGuardians(api, institution, ids);
  // The nth student learned 60 + n minutes on the week's Sunday; the day before and after are others' weeks.
  await seedLearningDay(api, institution, ids, '2026-11-15', 60);
  for (const day of ['2026-11-08', '2026-11-16']) await seedLearningDay(api, institution, ids, day, 7);

  const { client } = openTestTemporal(api.settings);
  const args: Parameters<typeof weeklyGuardianReport> = [{ nowMs: reportTime.getTime() }];
  const pass = await client.workflow.start<typeof weeklyGuardianReport>('weeklyGuardianReport', { workflowId: 'the-week', taskQueue: api.settings.taskQueue, args });
  expect(await pass.result()).toEqual({ reports: students, letters: students, institutions: 1, inactive: 0 });

  await eventually('a part of the emails', async () => (await sentSoFar()) > students / 2);
  await worker.kill();
  const atKill = await sentSoFar();
  expect(atKill).toBeLessThan(students);
  const inFlight = await lapseClaims();
  expect(inFlight.length).toBeLessThanOrEqual(emailsPerBatch);

  worker = await programs.worker(api.settings);
  const emails = client.workflow.getHandle<typeof weeklyReportLetters>(`${institution.id}:reports:${reportWeek}`);
  expect(await emails.result()).toEqual({ outcome: 'done', total: students, sent: students, refused: 0, skipped: 0 });

  const arrived = (await api.stack.mail.messages()).filter(({ messageId }) => messageId?.startsWith(`<rep.${reportWeek}.`) === true);
  expect(arrived.length - students).toBeLessThanOrEqual(inFlight.length);
  const byAddress = new Map(arrived.map((mail) => [mail.to?.[0]?.address, mail]));
  expect([byAddress.size, new Set(arrived.map(({ messageId }) => messageId)).size]).toEqual([students, students]);
  for (const [nth, id] of ids.entries()) {
    const minutes = 60 + nth;
    const mail = byAddress.get(`${id}@mail.example`);
    expect([mail?.messageId, mail?.text]).toEqual([
      `<rep.${reportWeek}.usr_${id}@${institution.loginDomain}>`,
      expect.stringContaining(`Time learned: ${Math.floor(minutes / 60)} h ${minutes % 60} min\n  Days on which the daily target was met: 1 of 7\n`),
    ]);
  }
});
