import { openExpiryRun } from '../../db/repositories/attempts/expiries';
import { transact } from '../../domain/transact';
import { requestResubmission } from '../../domain/submissions/requestResubmission';
import { withConnection } from '../../local/programs/postgres';
import { systemCaller } from '../support/api';
import { createResource } from '../support/resourceFactories';
import { seedCouponBatch, seedCoupons } from '../support/seed/coupons';
import { seedExam } from '../support/seed/exams';
import { seedGuardian } from '../support/seed/guardians';
import { seedSubmission } from '../support/seed/submissions';
import { seedStudents } from '../support/seed/students';
import { activeDeveloper, inviteDeveloper } from '../support/developers';
import { section } from '../support/documents';
import { apiFixture } from '../support/apiFixture';

const { api, institution, sql } = apiFixture({ institutionPer: 'file' });

const statements = [...section('docs/operations/runbook.md', '## Temporal is down').matchAll(/^```sql\n(INSERT[\s\S]*?)^```$/gm)].map(([, text = '']) => text);

/** The rows that the statements of the runbook write to the outbox for our institution; they are rolled back. */
const outboxRowsAgain = (): Promise<object[]> =>
  withConnection(api.settings.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('DELETE FROM owed_workflows WHERE institution_id = $1', [institution.id]);
    for (const statement of [...statements, ...statements]) await client.query(statement);
    const { rows } = await client.query<object>("SELECT kind, name, workflow_id, argument FROM owed_workflows WHERE institution_id = $1 ORDER BY name, argument -> 'notice'", [institution.id]);
    await client.query('ROLLBACK');
    return rows;
  });

it("the runbook's statements for a lost Temporal database restart the unfinished emails, attempts, invitations, erasures and exports, once, as the rules did", async () => {
  const [examId, other] = [await seedExam(api, institution), await seedExam(api, institution)];
  const [studentId = ''] = await seedStudents(api, institution, 1);
  const submissionId = await seedSubmission(api, institution, { examId, studentId });
  const institutionId = institution.id;
  const start = (name: string, workflow_id: string, argument: object): object => ({ kind: 'start', name, workflow_id, argument });
  await transact({ ...api.api.domain, onCommitted: () => undefined }, systemCaller(institutionId), async (tx) => {
    await requestResubmission({ ...tx, startWorkflow: () => undefined }, examId, submissionId);
    for (const id of [examId, other]) await openExpiryRun(tx, id, new Date(), new Date());
    for (const [number, ended, age] of [[7, null, 0], [8, new Date(), 0], [9, null, 4]]) {
      await tx.sql("INSERT INTO exam_notices (exam_id, number, institution_id, created_at, ended_at) VALUES ($1, $2, $3, now() - $5 * interval '1 day', $4)", [other, number, institutionId, ended, age]);
    }
  });
  await sql('UPDATE attempt_expiries SET open = false WHERE exam_id = $1', [other]);
  const batchId = await seedCouponBatch(api, institution);
  await seedCoupons(api, institution);
  const [linkId, expired] = [await seedGuardian(api, institution, studentId, 'a@mail.example', 'unverified'), await seedGuardian(api, institution, studentId, 'b@mail.example', 'unverified')];
  await seedGuardian(api, institution, studentId, 'c@mail.example');
  await sql("UPDATE guardian_links SET expires_at = now() - interval '1 ms' WHERE id = $1", [expired]);
  const { data: developer } = await inviteDeveloper(api, institution);
  await activeDeveloper(api, institution);
  await sql("UPDATE developers SET expires_at = now() - interval '1 ms' WHERE user_id = $1", [(await inviteDeveloper(api, institution)).data.id]);
  for (const [week, gathered, ended] of [['2026-11-02', true, true], ['2026-11-09', true, false], ['2026-11-16', false, false]]) {
    await sql('INSERT INTO weekly_report_runs (institution_id, week, created_at, gathered_at, ended_at) VALUES ($1, $2, now(), CASE WHEN $3 THEN now() END, CASE WHEN $4 THEN now() END)', [institutionId, week, gathered, ended]);
  }
  const [erased, done] = [await createResource.student(api, institution), await createResource.student(api, institution)];
  for (const id of [erased, done]) await api.call('POST', `/students/${id}/erase`, { key: institution.apiKey });
  await sql("UPDATE erasures SET ended_at = now(), subject_sealed = NULL, certificate = '{}' WHERE person_id = $1", [done]);
  const { data: wanted } = await api.call('POST', `/students/${studentId}/export`, { key: institution.apiKey });
  await sql("INSERT INTO person_exports (id, institution_id, person_id, number, with_recordings, status, file_id, created_at, expires_at) VALUES ('exp_done', $1, $2, 2, false, 'expired', 'file_1', now(), now())", [institutionId, studentId]);
  expect(await outboxRowsAgain()).toEqual([
    start('attemptExpiry', `${examId}:attempts:1`, { examId, institutionId, run: 1 }),
    start('couponBatchApproval', batchId, { batchId, institutionId }),
    start('developerInvitation', `${developer.id}:1`, { developerId: developer.id, institutionId, invitation: 1 }),
    start('examNotification', `${examId}:1`, { examId, institutionId, notice: 1, submissionId }),
    start('examNotification', `${other}:7`, { examId: other, institutionId, notice: 7 }),
    start('guardianInvitation', `${linkId}:1`, { linkId, institutionId, invitation: 1 }),
    start('personErasure', `erase_${erased}:1`, { personId: erased, institutionId, number: 1 }),
    start('personExport', `export_${studentId}:1`, { exportId: wanted.id, institutionId }),
    start('weeklyReportLetters', `${institutionId}:reports:2026-11-09`, { institutionId, week: '2026-11-09' }),
  ]);
});
