import { newId } from '../../../domain/ids';
import { reportChunk } from '../../../domain/reports/writeWeeklyReports';
import { seedGuardian, seedGuardians } from '../../support/seed/guardians';
import { seedStudents } from '../../support/seed/students';
import { seedEnrollments, seedLearningDay } from '../../support/seed/enrollments';
import { reportWeek, reportEmailsOf, writeReportWeek } from '../../support/weeklyReports';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture();

const sql = <Row extends object>(text: string, values: unknown[] = []) => api.api.domain.database.sql<Row>(text, [institution.id, ...values]);
const students = (count: number) => seedStudents(api, institution, count, newId('stu').slice(-8));
const reported = async () => (await sql<{ student_id: string }>('SELECT student_id FROM weekly_reports WHERE institution_id = $1 ORDER BY 1')).map(({ student_id }) => student_id);

/** So many students, enrolled, with a verified guardian each. */
async function guarded(count: number): Promise<string[]> {
  const ids = await students(count);
  await seedEnrollments(api, institution, ids);
  await seedGuardians(api, institution, ids);
  return ids;
}

describe('a report is written for', () => {
  it('a student who is enrolled, though idle; not for one without a verified guardian, nor a suspended one, nor of another institution', async () => {
    const [idle = '', suspended = '', unverified = '', alone = ''] = await students(4);
    await seedEnrollments(api, institution, [idle, suspended, unverified, alone]);
    await seedGuardians(api, institution, [idle, suspended]);
    await seedGuardian(api, institution, unverified, `${unverified}@mail.example`, 'unverified');
    await sql("UPDATE users SET status = 'suspended' WHERE institution_id = $1 AND id = $2", [suspended]);
    const otherInstitution = await api.institution();
    const others = await seedStudents(api, otherInstitution, 1, 'south');
    await seedEnrollments(api, otherInstitution, others);
    await seedGuardians(api, otherInstitution, others);
    expect(await writeReportWeek(api, institution)).toEqual({ state: 'done', reports: 1, letters: 1, next: null });
    expect(await reported()).toEqual([idle]);
  });

  it('a student who has withdrawn and was active in the week; not for an idle student, nor for a student who enrolled after it', async () => {
    const [atWork = '', withdrawn = '', before = '', newcomer = ''] = await students(4);
    await seedEnrollments(api, institution, [atWork, withdrawn, before], 'withdrawn');
    await seedEnrollments(api, institution, [newcomer]);
    await sql("UPDATE alpha_enrollments SET created_at = '2026-11-16T00:00:00Z' WHERE institution_id = $1 AND student_id = $2", [newcomer]);
    await seedGuardians(api, institution, [atWork, withdrawn, before, newcomer]);
    await seedLearningDay(api, institution, [atWork], '2026-11-15', 5);
    await seedLearningDay(api, institution, [before], '2026-11-08', 5);
    await seedLearningDay(api, institution, [withdrawn], '2026-11-16', 5);
    await writeReportWeek(api, institution);
    expect(await reported()).toEqual([atWork]);
  });
});

it('a week is written once: a repetition changes neither reports nor emails, for any later changes', async () => {
  const [first = '', second = ''] = await guarded(2);
  await writeReportWeek(api, institution);
  const written = await sql('SELECT * FROM weekly_reports WHERE institution_id = $1 ORDER BY id');
  await seedLearningDay(api, institution, [first, second], '2026-11-10', 60);
  const [third = ''] = await guarded(1);
  expect(await writeReportWeek(api, institution)).toEqual({ state: 'done', reports: 0, letters: 0, next: null });
  expect(await sql('SELECT * FROM weekly_reports WHERE institution_id = $1 ORDER BY id')).toEqual(written);
  expect((await reportEmailsOf(api, institution)).map(({ guardian_id }) => guardian_id)).not.toContain(`usr_${third}`);
  expect(await sql("SELECT workflow_id FROM owed_workflows WHERE workflow_id = $1 || ':reports:' || $2", [reportWeek])).toHaveLength(1);
});

it('passes at the same time write each report and each email once', async () => {
  await guarded(30);
  const steps = await Promise.all(Array.from({ length: 5 }, () => writeReportWeek(api, institution)));
  expect(steps.map(({ reports, letters: emails }) => [reports, emails]).sort()).toEqual([[0, 0], [0, 0], [0, 0], [0, 0], [30, 30]]);
  expect([(await reported()).length, (await reportEmailsOf(api, institution)).length]).toEqual([30, 30]);
});

it('goes on from chunk to chunk, and later chunks have later stamps, so that a reader who asks since the newest misses none', async () => {
  await guarded(reportChunk + 3);
  const first = await writeReportWeek(api, institution);
  expect(first).toMatchObject({ state: 'more', reports: reportChunk, letters: 0 });
  expect(await reportEmailsOf(api, institution)).toEqual([]);
  // Another worker, whose clock is behind.
  await sql("UPDATE weekly_reports SET created_at = created_at + interval '10 seconds' WHERE institution_id = $1");
  expect(await writeReportWeek(api, institution, first.next)).toEqual({ state: 'done', reports: 3, letters: reportChunk + 3, next: null });
  const stamps = await sql<{ stamp: Date; reports: number }>('SELECT created_at AS stamp, count(*)::int AS reports FROM weekly_reports WHERE institution_id = $1 GROUP BY 1 ORDER BY 1');
  expect(stamps.map(({ reports }) => reports)).toEqual([reportChunk, 3]);
});

it('a week in which nobody learns is done at once, and has no emails', async () => {
  expect(await writeReportWeek(api, institution)).toEqual({ state: 'done', reports: 0, letters: 0, next: null });
  expect(await sql('SELECT week::text AS week FROM weekly_report_runs WHERE institution_id = $1 AND ended_at IS NOT NULL')).toEqual([{ week: reportWeek }]);
  expect(await sql("SELECT 1 FROM owed_workflows WHERE workflow_id LIKE $1 || '%'")).toEqual([]);
});

it('an institution that is not approved is skipped, and its week can be made up for', async () => {
  await guarded(1);
  await sql("UPDATE institutions SET status = 'suspended', suspended_at = now() WHERE id = $1");
  expect(await writeReportWeek(api, institution)).toMatchObject({ state: 'inactive', reports: 0 });
  await sql("UPDATE institutions SET status = 'approved', suspended_at = NULL WHERE id = $1");
  expect(await writeReportWeek(api, institution)).toMatchObject({ state: 'done', reports: 1, letters: 1 });
});
