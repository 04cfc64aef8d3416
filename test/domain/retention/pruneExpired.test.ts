import { SessionEntity } from '../../../db/entities/session';
import { SignInCodeEntity } from '../../../db/entities/signInCode';
import { deleteReportsOfWeeksBefore } from '../../../db/repositories/retention/retention';
import { bindSql } from '../../../db/statement';
import { newId } from '../../../domain/ids';
import { pruneExpired, type PrunedKind } from '../../../domain/retention/pruneExpired';
import { batchesOf, postStudentsBulk, studentsOf, bulkItems } from '../../support/batches';
import { seedExam } from '../../support/seed/exams';
import { daysBefore } from '../../support/time';
import { seedProgressReports } from '../../support/seed/enrollments';
import { seedSeat } from '../../support/seed/seats';
import { createResource } from '../../support/resourceFactories';
import { apiFixture } from '../../support/apiFixture';
import { startTestWorker } from '../../support/worker';

const now = new Date('2026-11-20T09:30:00.000Z');
const limit = daysBefore(now, 30);
const justBefore = new Date(limit.getTime() - 1);

const { api, institution } = apiFixture();

const { manager, sql } = { manager: () => api.api.domain.database.manager, sql: <Row extends object>(text: string, values: unknown[]) => api.api.domain.database.sql<Row>(text, values) };
const prune = (kind: PrunedKind) => pruneExpired(api.api.domain, kind, now);

async function seedSession(expiresAt: Date, endedAt: Date | null): Promise<string> {
  const id = newId('sess');
  const owner = { institutionId: institution.id, userId: institution.adminId, kind: 'faculty' as const };
  await manager().insert(SessionEntity, { id, ...owner, tokenHash: Buffer.from(id), createdAt: daysBefore(now, 60), expiresAt, endedAt });
  return id;
}

async function seedCode(createdAt: Date): Promise<string> {
  const id = newId('code');
  const hmac = Buffer.alloc(32);
  const owner = { institutionId: institution.id, userId: institution.adminId };
  await manager().insert(SignInCodeEntity, { id, ...owner, codeHmac: hmac, sentToHmac: hmac, createdAt, expiresAt: createdAt });
  return id;
}

it('deletes the sessions that had ended or expired 30 days ago, and no other', async () => {
  await seedSession(justBefore, null);
  await seedSession(daysBefore(now, 1), justBefore);
  const stay = [await seedSession(limit, null), await seedSession(now, limit), await seedSession(daysBefore(now, -1), null)];
  expect(await prune('sessions')).toEqual({ removed: 2, more: false });
  const left = await manager().findBy(SessionEntity, { institutionId: institution.id });
  expect(left.map(({ id }) => id).sort()).toEqual(stay.sort());
});

it('deletes the seats that had ended 90 days ago, and no other', async () => {
  const ninety = daysBefore(now, 90);
  await seedSeat(api, institution, { userId: institution.adminId, endedAt: new Date(ninety.getTime() - 1) });
  const stay = [await seedSeat(api, institution, { userId: institution.adminId, endedAt: ninety }), await seedSeat(api, institution, { userId: institution.adminId, createdAt: daysBefore(now, 400) })];
  expect(await prune('seats')).toEqual({ removed: 1, more: false });
  const left = await sql<{ id: string }>('SELECT id FROM seats WHERE institution_id = $1', [institution.id]);
  expect(left.map(({ id }) => id).sort()).toEqual(stay.sort());
});

it('deletes progress that was reported 400 days ago, for any day of the zone then, and no other', async () => {
  const enrollmentId = await createResource.enrollment(api, institution);
  const fourHundred = daysBefore(now, 400);
  const before = new Date(fourHundred.getTime() - 1);
  for (const day of ['2025-10-15', '2025-10-16', '2025-10-17']) await seedProgressReports(api, enrollmentId, { createdAt: before, day });
  for (const day of ['2025-10-15', '2025-10-16', '2025-10-17']) await seedProgressReports(api, enrollmentId, { createdAt: fourHundred, day });
  expect(await prune('alphaProgress')).toEqual({ removed: 3, more: false });
  const left = await sql<{ created_at: Date }>('SELECT created_at FROM alpha_progress WHERE institution_id = $1', [institution.id]);
  expect(left.map(({ created_at }) => created_at)).toEqual(Array(3).fill(fourHundred));
});

it('deletes the sign-in codes that were made 30 days ago, and no other', async () => {
  await seedCode(justBefore);
  const stays = await seedCode(limit);
  expect(await prune('signInCodes')).toEqual({ removed: 1, more: false });
  const left = await manager().findBy(SignInCodeEntity, { institutionId: institution.id });
  expect(left.map(({ id }) => id)).toEqual([stays]);
});

it('deletes the batches that had ended 30 days ago with their rows; open ones and all students stay', async () => {
  const worker = await startTestWorker(api.settings);
  for (const _call of ['old', 'young', 'open']) await postStudentsBulk(api, institution, bulkItems(2));
  await worker.stop();
  const [old, young, open] = (await batchesOf(api, institution)).map(({ id }) => id);
  const end = (id: string | undefined, endedAt: Date | null, status: string) =>
    sql('UPDATE provisioning_batches SET ended_at = $2, status = $3, created_at = $4 WHERE id = $1', [id, endedAt, status, daysBefore(now, 60)]);
  await end(old, justBefore, 'done');
  await end(young, limit, 'closed');
  await end(open, null, 'open');
  expect(await prune('provisioningBatches')).toEqual({ removed: 1, more: false });
  expect((await batchesOf(api, institution)).map(({ id }) => id).sort()).toEqual([young, open].sort());
  expect(await sql('SELECT DISTINCT batch_id FROM provisioning_rows WHERE institution_id = $1', [institution.id])).toHaveLength(2);
  expect([...(await studentsOf(api, institution)).values()].flat()).toHaveLength(6);
});

it('deletes notices of exams that ended 30 days ago with their recipients; younger ones and those under way stay', async () => {
  const examId = await seedExam(api, institution);
  const endings = [justBefore, limit, null];
  for (const [index, ended] of endings.entries()) {
    const key = [examId, index + 1, institution.id];
    await sql('INSERT INTO exam_notices (exam_id, number, institution_id, created_at, gathered_at, ended_at) VALUES ($1, $2, $3, $4, $4, $5)', [...key, daysBefore(now, 60), ended]);
    await sql("INSERT INTO exam_notice_recipients (exam_id, notice, institution_id, recipient_id, kind, status) VALUES ($1, $2, $3, $4, 'student', 'sent')", [...key, newId('stu')]);
  }
  expect(await prune('examNotices')).toEqual({ removed: 1, more: false });
  for (const [table, column] of [['exam_notices', 'number'], ['exam_notice_recipients', 'notice']] as const) {
    const left = await sql<{ number: number }>(`SELECT ${column} AS number FROM ${table} WHERE exam_id = $1 ORDER BY 1`, [examId]);
    expect(left.map(({ number }) => number)).toEqual([2, 3]);
  }
});

/** The Mondays that are left of a table of weekly reports. */
const weeksIn = async (table: string) => (await sql<{ week: string }>(`SELECT DISTINCT week::text AS week FROM ${table} WHERE institution_id = $1 ORDER BY 1`, [institution.id])).map(({ week }) => week);

/** A week of reports: one report, one email; ended then, or not yet. */
async function seedReportWeek(week: string, ended: Date | null): Promise<void> {
  await sql('INSERT INTO weekly_report_runs (institution_id, week, created_at, gathered_at, ended_at) VALUES ($1, $2::date, $2::date, $2::date, $3)', [institution.id, week, ended]);
  await sql("INSERT INTO weekly_report_letters (institution_id, week, guardian_id, status) VALUES ($1, $2, $3, 'sent')", [institution.id, week, institution.adminId]);
  await sql(
    `INSERT INTO weekly_reports (id, institution_id, student_id, week, minutes, days_met, points, points_balance, concepts_mastered, streak_days, badges, created_at)
     VALUES ($4, $1, $3, $2::date, 0, 0, 0, 0, 0, 0, '{}', $2::date)`,
    [institution.id, week, institution.adminId, newId('rep')],
  );
}

it('deletes emails of weekly reports whose week had ended 90 days ago; reports stay, and it stays known that the week is done', async () => {
  const ninety = daysBefore(now, 90);
  for (const [week, ended] of [['2026-08-10', new Date(ninety.getTime() - 1)], ['2026-08-17', ninety], ['2026-08-24', null]] as const) await seedReportWeek(week, ended);
  expect(await prune('weeklyReportLetters')).toEqual({ removed: 1, more: false });
  expect(await prune('weeklyReportLetters')).toEqual({ removed: 0, more: false });
  expect(await weeksIn('weekly_report_letters')).toEqual(['2026-08-17', '2026-08-24']);
  for (const table of ['weekly_reports', 'weekly_report_runs']) expect(await weeksIn(table)).toEqual(['2026-08-10', '2026-08-17', '2026-08-24']);
});

it('deletes weekly reports after 104 weeks, with all that is left of their emails', async () => {
  for (const week of ['2024-11-18', '2024-11-25']) await seedReportWeek(week, null);
  expect(await prune('weeklyReports')).toEqual({ removed: 1, more: false });
  for (const table of ['weekly_reports', 'weekly_report_letters', 'weekly_report_runs']) expect(await weeksIn(table)).toEqual(['2024-11-25']);
});

it.each(['Pacific/Auckland', 'Pacific/Honolulu'])('counts the weeks of reports in UTC, for any time zone of its connection (%s)', async (zone) => {
  // A Monday, which in Auckland is a Tuesday already; one early enough to be a Sunday in Honolulu.
  const cutoffs = [new Date('2023-11-27T23:30:00Z'), new Date('2023-11-28T00:30:00Z')];
  await seedReportWeek('2023-11-27', null);
  const client = await api.api.domain.database.pool.connect();
  try {
    await client.query(`SET TIME ZONE '${zone}'`);
    const deleted = [];
    for (const cutoff of cutoffs) deleted.push(await deleteReportsOfWeeksBefore(bindSql(client), cutoff, 5));
    expect(deleted).toEqual([0, 1]);
  } finally {
    client.release(true);
  }
});

it('takes a chunk at a time and says whether there is more', async () => {
  await sql(
    `INSERT INTO sessions (id, institution_id, user_id, kind, token_hash, created_at, expires_at)
     SELECT 'sess_' || $1 || n, $1, $2, 'faculty', convert_to($1 || n, 'UTF8'), $3, $3 FROM generate_series(1, 5003) n`,
    [institution.id, institution.adminId, justBefore],
  );
  expect(await prune('sessions')).toEqual({ removed: 5_000, more: true });
  expect(await prune('sessions')).toEqual({ removed: 3, more: false });
});
