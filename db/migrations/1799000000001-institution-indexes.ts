import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently, dropConcurrently } from './concurrentIndexes';

/** By their names: a table, the columns before and after, and the rows if not all. */
const widened: Readonly<Record<string, readonly [table: string, before: string, after: string, rows?: string]>> = {
  activations_institution: ['activations', 'institution_id', 'institution_id, license_id'],
  alpha_badges_institution: ['alpha_badges', 'institution_id', 'institution_id, student_id'],
  alpha_days_institution: ['alpha_days', 'institution_id', 'institution_id, enrollment_id'],
  alpha_days_student: ['alpha_days', 'student_id, day DESC', 'student_id, institution_id, day DESC'],
  alpha_enrollments_student: ['alpha_enrollments', 'student_id, created_at DESC, id DESC', 'student_id, institution_id, created_at DESC, id DESC'],
  alpha_mastery_institution: ['alpha_mastery', 'institution_id', 'institution_id, student_id'],
  alpha_points_time: ['alpha_points', 'student_id, created_at', 'student_id, institution_id, created_at'],
  alpha_progress_enrollment: ['alpha_progress', 'enrollment_id, created_at DESC', 'enrollment_id, institution_id, created_at DESC'],
  alpha_progress_institution: ['alpha_progress', 'institution_id', 'institution_id, student_id'],
  attempt_events_in_order: ['attempt_events', 'attempt_id, at, id', 'attempt_id, institution_id, at, id'],
  attempts_listing: ['attempts', 'exam_id, started_at DESC, id DESC', 'exam_id, institution_id, started_at DESC, id DESC'],
  attempts_student: ['attempts', 'student_id', 'student_id, institution_id'],
  code_secret_releases_exam: ['code_secret_releases', 'exam_id, id DESC', 'exam_id, institution_id, id DESC'],
  code_secret_releases_student: ['code_secret_releases', 'student_id', 'student_id, institution_id'],
  coupons_redeemed_by: ['coupons', 'redeemed_by', 'redeemed_by, institution_id'],
  endpoint_statistics_institution: ['endpoint_statistics', 'institution_id', 'institution_id, endpoint_id, hour'],
  exam_assignments_group: ['exam_assignments', 'group_id', 'group_id, institution_id'],
  exam_assignments_institution: ['exam_assignments', 'institution_id', 'institution_id, exam_id'],
  exam_files_file: ['exam_files', 'file_id', 'file_id, institution_id'],
  exam_files_institution: ['exam_files', 'institution_id', 'institution_id, exam_id'],
  exam_notice_recipients_institution: ['exam_notice_recipients', 'institution_id', 'institution_id, exam_id, notice'],
  exam_notices_submission: ['exam_notices', 'submission_id', 'submission_id, institution_id'],
  exams_faculty: ['exams', 'faculty_id, created_at DESC, id DESC', 'faculty_id, institution_id, created_at DESC, id DESC'],
  files_attempt: ['files', 'attempt_id, kind, created_at, id', 'attempt_id, institution_id, kind, created_at, id', 'WHERE attempt_id IS NOT NULL'],
  files_exam: ['files', 'exam_id', 'exam_id, institution_id'],
  group_members_institution: ['group_members', 'institution_id', 'institution_id, group_id'],
  group_members_user: ['group_members', 'user_id', 'user_id, institution_id'],
  groups_faculty: ['groups', 'faculty_id', 'faculty_id, institution_id'],
  guardian_links_guardian: ['guardian_links', 'guardian_id', 'guardian_id, institution_id'],
  mailbox_changes_user: ['mailbox_changes', 'user_id, created_at DESC', 'user_id, institution_id, created_at DESC'],
  person_exports_institution: ['person_exports', 'institution_id', 'institution_id, person_id'],
  provisioning_rows_institution: ['provisioning_rows', 'institution_id', 'institution_id, batch_id'],
  seats_license: ['seats', 'license_id', 'license_id, institution_id'],
  seats_session: ['seats', 'session_id', 'session_id, institution_id'],
  seats_user: ['seats', 'user_id', 'user_id, institution_id'],
  sessions_institution: ['sessions', 'institution_id', 'institution_id, user_id'],
  sign_in_codes_user: ['sign_in_codes', 'user_id, created_at DESC', 'user_id, institution_id, created_at DESC'],
  sign_ins_user: ['sign_ins', 'user_id, at DESC, id DESC', 'user_id, institution_id, at DESC, id DESC'],
  submission_attachments_file: ['submission_attachments', 'file_id', 'file_id, institution_id'],
  submission_attachments_institution: ['submission_attachments', 'institution_id', 'institution_id, submission_id'],
  submissions_graded_by: ['submissions', 'graded_by', 'graded_by, institution_id'],
  submissions_student: ['submissions', 'student_id', 'student_id, institution_id'],
  weekly_report_letters_guardian: ['weekly_report_letters', 'guardian_id', 'guardian_id, institution_id'],
};

/** For references whose column only a unique key begins with, which stays as it is. */
const added: Readonly<Record<string, string>> = {
  guardian_links_student: 'guardian_links (student_id, institution_id)',
  merit_moves_user: 'merit_moves (user_id, institution_id, wallet_number)',
  submissions_exam: 'submissions (exam_id, institution_id, student_id)',
  weekly_reports_student: 'weekly_reports (student_id, institution_id)',
};

/**
 * A row that is deleted is looked for in what refers to it, by its id and its institution. Without statistics an index of the
 * institution alone appears as good for this as one of the id, and is smaller: each deleted row would read all of its institution. An
 * index that has both is the better one, with statistics or without. Each step can be done again: the migration has no transaction.
 */
export class InstitutionIndexes1799000000001 implements MigrationInterface {
  readonly name = 'InstitutionIndexes1799000000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildConcurrently(runner, added);
    for (const [name, [table, , columns, rows = '']] of Object.entries(widened)) {
      if (await hasColumns(runner, name, columns.split(',').length)) continue;
      await buildConcurrently(runner, { [`${name}_wider`]: `${table} (${columns}) ${rows}` });
      await dropConcurrently(runner, name);
      await runner.query(`ALTER INDEX ${name}_wider RENAME TO ${name}`);
    }
  }

  // TypeORM undoes in a transaction, whatever the migration says: writers wait while the indexes are built.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(added).join(', ')}`);
    for (const [name, [table, columns, , rows = '']] of Object.entries(widened)) {
      await runner.query(`DROP INDEX ${name}; CREATE INDEX ${name} ON ${table} (${columns}) ${rows}`);
    }
  }
}

async function hasColumns(runner: QueryRunner, index: string, count: number): Promise<boolean> {
  const found: unknown = await runner.query(`SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('${index}') AND indnkeyatts = ${count}`);
  return Array.isArray(found) && found.length > 0;
}
