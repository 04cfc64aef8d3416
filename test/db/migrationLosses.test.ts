import { migrate } from '../../db/migrate';
import { migrations } from '../../db/migrations';
import { withConnection } from '../../local/programs/postgres';
import { revertLastOf, dumpSchemaAt, migrationNumbers, migrateUpTo } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';

/** An exam of 20 points. */
const examRow = `INSERT INTO exams (id, institution_id, faculty_id, title, exam_type, status, max_score, allow_late_submission, late_penalty_percentage, proctoring, ai_policy,
         created_at, updated_at)
   VALUES ('exm_1', 'ins_1', 'fac_1', 'Fractions', 'exam', 'draft', 20, false, 0, '{}', '{}', '2026-11-20', '2026-11-20')`;

/** A submission with something that only its table has a place for. */
function submissionRow(columns: string, values: string): string {
  const [status, given] = columns.includes('status') ? ['', ''] : ['status, ', "'submitted', "];
  return `INSERT INTO submissions (id, institution_id, exam_id, student_id, attempt_id, version, is_late, submitted_at, updated_at, ${status}${columns})
    VALUES ('sub_1', 'ins_1', 'exm_1', 'stu_1', 'att_1', 1, false, '2026-11-20', '2026-11-20', ${given}${values})`;
}

/** Rows that nothing but their table holds, by the migration that made it. */
const irreplaceable: Record<string, string[]> = {
  Exams1795564800000: [
    examRow,
    `INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at) VALUES ('att_1', 'ins_1', 'exm_1', 'stu_1', 'in_progress', '2026-11-20')`,
    `INSERT INTO submissions (id, institution_id, exam_id, student_id, attempt_id, version, status, is_late, submitted_at, updated_at)
     VALUES ('sub_1', 'ins_1', 'exm_1', 'stu_1', 'att_1', 1, 'submitted', false, '2026-11-20', '2026-11-20')`,
    `INSERT INTO files (id, institution_id, status, filename, content_type, size, sha256, created_at, updated_at)
     VALUES ('file_1', 'ins_1', 'stored', 'a.pdf', 'application/pdf', 1, repeat('0', 64), '2026-11-20', '2026-11-20')`,
    `INSERT INTO guardian_links (id, institution_id, student_id, guardian_email_sealed, guardian_email_hmac, guardian_type, is_primary, created_at, updated_at)
     VALUES ('gdn_1', 'ins_1', 'stu_1', 'sealed', 'hmac', 'mother', false, '2026-11-20', '2026-11-20')`,
  ],
  Submissions1795651200000: [
    submissionRow('text', "'What I think'"),
    submissionRow('ai_usage_data', "'{}'"),
    submissionRow('feedback', "'Well done'"),
    submissionRow('graded_by', "'fac_1'"),
    submissionRow('void_reason, voided_at, status', "'Copied', '2026-11-20', 'voided'"),
    submissionRow('score, percentage, max_score, late_penalty_percentage, status', "5, 50, 10, 0, 'graded'"),
    `INSERT INTO submission_attachments (submission_id, position, file_id, institution_id, name) VALUES ('sub_1', 1, 'file_1', 'ins_1', 'a.pdf')`,
    `INSERT INTO files (id, institution_id, kind, attempt_id, status, filename, content_type, size, sha256, created_at, updated_at)
     VALUES ('file_1', 'ins_1', 'recording', 'att_1', 'stored', 'a.webm', 'video/webm', 1, repeat('0', 64), '2026-11-20', '2026-11-20')`,
    ...['resumes', 'event_count', 'recorder_errors'].map(
      (counter) => `INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, ${counter})
       VALUES ('att_1', 'ins_1', 'exm_1', 'stu_1', 'in_progress', '2026-11-20', 1)`,
    ),
    `INSERT INTO attempt_expiries (exam_id, institution_id, run, open) VALUES ('exm_1', 'ins_1', 1, true)`,
    `INSERT INTO exam_notices (exam_id, number, institution_id, created_at, submission_id) VALUES ('exm_1', 1, 'ins_1', '2026-11-20', 'sub_1')`,
  ],
  Money1795737600000: [
    `INSERT INTO coupon_batches (id, institution_id, name, total_coupons, value_cents, expiry_date, status, created_at, updated_at)
     VALUES ('cpb_1', 'ins_1', 'Prizes', 1, 100, '2099-01-01', 'pending', '2026-11-20', '2026-11-20')`,
    `INSERT INTO merit_moves (id, institution_id, kind, from_account, to_account, amount_cents, user_id, wallet_number, wallet_cents, batch_id, coupon_number, created_at)
     VALUES ('mov_1', 'ins_1', 'coupon', 'coupons', 'wallet', 100, 'stu_1', 1, 100, 'cpb_1', 1, '2026-11-20')`,
    `INSERT INTO merit_moves (id, institution_id, kind, from_account, to_account, amount_cents, allowance_number, allowance_cents, allowance_credited, created_at)
     VALUES ('mov_2', 'ins_1', 'reclaim', 'allowance', 'platform', 40, 2, 60, 0, '2026-11-20')`,
  ],
  Guardians1795824000000: [
    `INSERT INTO weekly_reports (id, institution_id, student_id, week, minutes, days_met, points, points_balance, concepts_mastered, streak_days, badges, created_at)
     VALUES ('rep_1', 'ins_1', 'stu_1', '2026-11-16', 0, 0, 0, 0, 0, 0, '{}', '2026-11-23')`,
    `INSERT INTO guardian_links (id, institution_id, student_id, guardian_id, guardian_type, is_primary, invitation, invited_at, expires_at, created_at, updated_at)
     VALUES ('gdn_1', 'ins_1', 'stu_1', 'usr_1', 'mother', false, 2, '2026-11-20', '2026-12-04', '2026-11-01', '2026-11-20')`,
    `INSERT INTO guardian_links (id, institution_id, student_id, guardian_id, guardian_type, is_primary, invited_at, expires_at, accepted_at, created_at, updated_at)
     VALUES ('gdn_2', 'ins_1', 'stu_1', 'usr_1', 'mother', false, '2026-11-20', '2026-12-04', '2026-11-20', '2026-11-20', '2026-11-20')`,
  ],
  Alpha1795910400000: [
    `INSERT INTO curricula (id, institution_id, title, status, created_at) VALUES ('cur_1', 'ins_1', 'Fractions', 'draft', '2026-11-20')`,
    `INSERT INTO alpha_enrollments (id, institution_id, curriculum_id, student_id, status, daily_target_minutes, created_at, updated_at)
     VALUES ('enr_1', 'ins_1', 'cur_1', 'stu_1', 'active', 30, '2026-11-20', '2026-11-20')`,
    `INSERT INTO alpha_points (id, institution_id, student_id, number, points, balance, ref, created_at) VALUES ('pts_1', 'ins_1', 'stu_1', 1, 10, 10, 'r', '2026-11-20')`,
  ],
  Audit1795996800000: [
    `INSERT INTO audit_log (id, institution_id, actor_kind, actor_id, operation, method, path, target, changed, request_id)
     VALUES ('aud_1', 'ins_1', 'platform', 'platform', 'suspendStudent', 'POST', '/students/{id}/suspend', '{}', '{}', 'req_1')`,
  ],
  Devices1796083200000: [
    `INSERT INTO activations (license_id, device_id, institution_id, device_name, platform, app_version, first_seen_at, last_seen_at)
     VALUES ('lic_1', 'd', 'ins_1', 'Laptop', 'linux', '1.0.0', '2026-11-20', '2026-11-20')`,
    `INSERT INTO seats (id, institution_id, user_id, license_id, app, device_id, device_name, platform, app_version, status, last_seen_at, signed_in_at, created_at)
     VALUES ('seat_1', 'ins_1', 'stu_1', 'lic_1', 'svcapp', 'd', 'Laptop', 'linux', '1.0.0', 'active', '2026-11-20', '2026-11-20', '2026-11-20')`,
  ],
  Developers1796169600000: [
    "INSERT INTO developers (user_id, institution_id, status, invited_by, invited_at, expires_at) VALUES ('dev_1', 'ins_1', 'invited', 'platform', '2026-11-20', '2026-11-27')",
  ],
  UniqueStudentIds1797033600000: [
    `INSERT INTO institutions (id, name, status, login_domain, time_zone, config, unique_student_ids, created_at, updated_at)
     VALUES ('ins_1', 'North School', 'approved', 'north.example', 'UTC', '{}', true, '2026-11-20', '2026-11-20')`,
  ],
  Sandbox1797292800000: [
    `INSERT INTO institutions (id, name, status, login_domain, time_zone, config, sandbox_of, created_at, updated_at)
     VALUES ('ins_2', 'North School (sandbox)', 'approved', '2.sandbox.invalid', 'UTC', '{}', 'ins_1', '2026-11-20', '2026-11-20')`,
    `INSERT INTO api_keys (id, institution_id, name, key_hash, prefix, last_four, scopes, rate_limit_per_min, created_by, created_at, environment)
     VALUES ('key_1', 'ins_2', 'CI', 'hash', 'svc_test_', 'x7Qa', '{}', 600, 'platform', '2026-11-20', 'test')`,
  ],
  Erasures1797984000000: [
    `INSERT INTO erasures (person_id, number, institution_id, kind, requested_at, removed, subject_sealed)
     VALUES ('stu_1', 1, 'ins_1', 'student', '2026-11-20', '{}', 'sealed')`,
  ],
  Staff1798070400000: [
    `INSERT INTO staff (id, name, email, role, created_by, created_at, updated_at) VALUES ('stf_1', 'Sam', 'sam@platform.example', 'support', 'platform', '2026-11-20', '2026-11-20')`,
    `INSERT INTO audit_log (id, institution_id, actor_kind, actor_id, operation, method, path, target, changed, request_id)
     VALUES ('aud_1', 'ins_1', 'staff', 'stf_1', 'cancelDelivery', 'POST', '/console/deliveries/{id}/cancel', '{}', '{}', 'req_1')`,
  ],
  AccountProtection1798156800000: [
    `INSERT INTO institutions (id, name, status, login_domain, time_zone, config, require_enrolment_code, created_at, updated_at)
     VALUES ('ins_1', 'North School', 'approved', 'north.example', 'UTC', '{}', true, '2026-11-20', '2026-11-20')`,
    `INSERT INTO developers (user_id, institution_id, status, invited_by, invited_at, expires_at, scope_ceiling)
     VALUES ('dev_1', 'ins_1', 'invited', 'platform', '2026-11-20', '2026-11-27', '{students:read}')`,
    `INSERT INTO audit_log (id, institution_id, actor_kind, actor_id, operation, method, path, target, changed, request_id)
     VALUES ('aud_1', 'ins_1', 'system', 'sign_in', 'limitAccountClaims', 'POST', '/sign-in/codes', '{}', '{}', 'req_1')`,
  ],
  SignInHistory1798156800001: ["INSERT INTO sign_ins (id, institution_id, user_id, at, result) VALUES ('sgn_1', 'ins_1', 'stu_1', '2026-11-20', 'signed_in')"],
  Disclosures1798329600000: [
    "INSERT INTO disclosures (id, actor_kind, actor_id, what, operation, query, request_id) VALUES ('dsc_1', 'key', 'key_1', 'list', 'listStudents', '{}', 'req_1')",
    "INSERT INTO institution_retention (institution_id, recording_days, proctoring_days, updated_at) VALUES ('ins_1', 90, 90, '2026-11-20')",
    "INSERT INTO person_exports (id, institution_id, person_id, number, with_recordings, status, created_at) VALUES ('exp_1', 'ins_1', 'stu_1', 1, false, 'preparing', '2026-11-20')",
    `INSERT INTO files (id, institution_id, kind, status, filename, content_type, size, sha256, created_at, updated_at)
     VALUES ('file_1', 'ins_1', 'export', 'stored', 'stu_1.zip', 'application/zip', 1, repeat('0', 64), '2026-11-20', '2026-11-20')`,
  ],
  Offboarding1798502400000: ["INSERT INTO offboardings (institution_id, number, status, requested_at, erase_after) VALUES ('ins_1', 1, 'read_only', '2026-11-20', '2026-12-20')"],
  SuspendedPeople1798506000000: [
    "INSERT INTO institution_retention (institution_id, recording_days, proctoring_days, suspended_days, updated_at) VALUES ('ins_1', 90, 90, 730, '2026-11-20')",
  ],
  WorkflowEpochs1796774400000: ["INSERT INTO workflow_epochs (epoch) VALUES ('6a1f0c2e')"],
};

/** A row is written past the keys to others, which are not what this is about, is looked at by `work`, and taken away again. */
async function withRow(url: string, row: string, work: () => Promise<void>): Promise<void> {
  const table = /^INSERT INTO (\w+)/.exec(row)?.[1] ?? '';
  const past = (text: string): Promise<unknown> =>
    withConnection(url, async (client) => {
      await client.query('SET session_replication_role = replica');
      return client.query(text);
    });
  await past(row);
  await work();
  await past(`DELETE FROM ${table}`);
}

it('a migration whose undoing would lose rows that nothing else holds is not undone, and says which', async () => {
  const { url, drop } = await createEmptyDatabase();
  await migrate(url);
  let tried = 0;
  for (const number of [...migrationNumbers].reverse()) {
    const before = await dumpSchemaAt(url);
    for (const row of irreplaceable[migrations[number - 1]?.name ?? ''] ?? []) {
      await withRow(url, row, async () => {
        await expect(revertLastOf(url, number)).rejects.toThrow(new RegExp(`would lose rows of ${/INTO (\w+)/.exec(row)?.[1] ?? ''}`));
        expect(await dumpSchemaAt(url)).toEqual(before);
      });
      tried += 1;
    }
    await revertLastOf(url, number);
  }
  expect(tried).toBe(Object.values(irreplaceable).flat().length);
  await drop();
});

it('a score that the exam explains is no loss: its submission goes back a schema, and comes again with all of it', async () => {
  const { url, drop } = await createEmptyDatabase();
  const number = migrations.findIndex(({ name }) => name.startsWith('Submissions')) + 1;
  await migrateUpTo(url, number);
  await withRow(url, examRow, () =>
    withRow(url, submissionRow('score, percentage, max_score, late_penalty_percentage, status', "5, 25, 20, 0, 'graded'"), async () => {
      const read = () => withConnection(url, async (client) => (await client.query<object>('SELECT * FROM submissions')).rows);
      const before = await read();
      await revertLastOf(url, number);
      await migrateUpTo(url, number);
      expect(await read()).toEqual(before);
    }),
  );
  await drop();
});
