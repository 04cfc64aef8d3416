import type { MigrationInterface, QueryRunner } from 'typeorm';
import { hasConstraint } from './constraints';

/** A reference to a row of the same institution, and what it does when that row is deleted. */
interface Reference {
  /** The constraint, where it is not called as Postgres would call it. */
  name?: string;
  /** Beside institution_id; of the other table, unless it is `id`. */
  columns: readonly string[];
  to: string;
  toColumns?: readonly string[];
  /** Columns that only this reference ties to the other row: the one before did not name them. */
  tied?: readonly string[];
  onDelete?: 'CASCADE' | 'SET NULL';
}

const to = (table: string, column: string, onDelete?: Reference['onDelete']): Reference => ({ columns: [column], to: table, ...(onDelete === undefined ? {} : { onDelete }) });

/** An attempt with its exam and its student: no other one's. */
const toAttempt = (name: string): Reference => ({ name, columns: ['attempt_id'], to: 'attempts', tied: ['exam_id', 'student_id'] });

const references: Readonly<Record<string, readonly Reference[]>> = {
  account_claims: [to('users', 'user_id', 'CASCADE')],
  activations: [to('licenses', 'license_id')],
  alpha_badges: [to('users', 'student_id')],
  alpha_days: [to('alpha_enrollments', 'enrollment_id'), to('users', 'student_id')],
  alpha_enrollments: [to('users', 'student_id')],
  alpha_mastery: [to('users', 'student_id')],
  alpha_points: [to('users', 'student_id')],
  alpha_progress: [to('alpha_enrollments', 'enrollment_id'), to('users', 'student_id')],
  alpha_students: [to('users', 'student_id')],
  attempt_events: [to('attempts', 'attempt_id')],
  attempt_expiries: [to('exams', 'exam_id')],
  attempts: [to('exams', 'exam_id'), to('users', 'student_id')],
  code_secret_releases: [toAttempt('code_secret_releases_of_attempt'), to('exams', 'exam_id'), to('users', 'student_id')],
  coupons: [to('coupon_batches', 'batch_id'), to('users', 'redeemed_by')],
  developers: [to('users', 'user_id')],
  endpoint_statistics: [to('webhook_endpoints', 'endpoint_id', 'CASCADE')],
  enrolment_codes: [to('users', 'user_id', 'CASCADE')],
  exam_assignments: [to('exams', 'exam_id'), to('groups', 'group_id')],
  exam_files: [to('exams', 'exam_id'), to('files', 'file_id')],
  exam_notice_recipients: [{ columns: ['exam_id', 'notice'], to: 'exam_notices', toColumns: ['exam_id', 'number'] }],
  exam_notices: [to('exams', 'exam_id'), to('submissions', 'submission_id')],
  exams: [to('users', 'faculty_id')],
  files: [to('attempts', 'attempt_id'), to('exams', 'exam_id')],
  group_members: [to('groups', 'group_id'), to('users', 'user_id')],
  groups: [to('users', 'faculty_id')],
  guardian_links: [to('users', 'guardian_id'), to('users', 'student_id')],
  institution_emails: [to('users', 'user_id')],
  licenses: [to('users', 'user_id')],
  mailbox_changes: [to('users', 'user_id', 'CASCADE')],
  merit_moves: [{ columns: ['batch_id', 'coupon_number'], to: 'coupons', toColumns: ['batch_id', 'number'] }, to('users', 'user_id')],
  person_exports: [to('users', 'person_id')],
  provisioning_rows: [to('provisioning_batches', 'batch_id'), to('users', 'user_id')],
  seats: [to('licenses', 'license_id'), to('sessions', 'session_id', 'SET NULL'), to('users', 'user_id')],
  sessions: [to('users', 'user_id')],
  sign_in_codes: [to('users', 'user_id')],
  sign_ins: [to('users', 'user_id', 'CASCADE')],
  submission_attachments: [to('files', 'file_id'), to('submissions', 'submission_id')],
  submissions: [toAttempt('submissions_of_attempt'), to('exams', 'exam_id'), to('users', 'graded_by'), to('users', 'student_id')],
  wallets: [to('users', 'user_id')],
  webhook_rate_limits: [to('webhook_endpoints', 'endpoint_id', 'CASCADE')],
  weekly_report_letters: [to('users', 'guardian_id')],
  weekly_reports: [to('users', 'student_id')],
};

/** A constraint with its name, its table and the other one. */
interface Constraint {
  table: string;
  to: string;
  name: string;
  definition: string;
}

const foreignKey = (columns: readonly string[], table: string, toColumns: readonly string[], action: string): string =>
  `FOREIGN KEY (${columns.join(', ')}) REFERENCES ${table} (${toColumns.join(', ')})${action}`;

/** The reference that names the institution; where a column becomes null, the institution stays. */
function withInstitution(table: string, { name, columns, to: other, toColumns = ['id'], tied = [], onDelete }: Reference): Constraint {
  const action = onDelete === undefined ? '' : ` ON DELETE ${onDelete}${onDelete === 'SET NULL' ? ` (${columns.join(', ')})` : ''}`;
  return {
    table,
    to: other,
    name: name ?? `${table}_institution_id_${columns.join('_')}_fkey`,
    definition: foreignKey(['institution_id', ...columns, ...tied], other, ['institution_id', ...toColumns, ...tied], action),
  };
}

/** The one that it replaces. */
function withoutInstitution(table: string, { columns, to: other, toColumns = ['id'], onDelete }: Reference): Constraint {
  const action = onDelete === undefined ? '' : ` ON DELETE ${onDelete}`;
  return { table, to: other, name: `${table}_${columns.join('_')}_fkey`, definition: foreignKey(columns, other, toColumns, action) };
}

const replacements = Object.entries(references).flatMap(([table, all]) => all.map((reference) => ({ added: withInstitution(table, reference), replaced: withoutInstitution(table, reference) })));

/*
 * Both tables are locked in one message, which is one transaction, and the one that is referred to first: the service writes in this
 * order, too, so that neither waits for the other with a lock that the other needs.
 */
const lock = ({ table, to: other }: Constraint, mode: string): string => `LOCK TABLE ${other}, ${table} IN ${mode} MODE`;

/**
 * Every reference between two rows of institutions names the institution: the schema refuses one to a row of another institution. The
 * exceptions are in test/db/institutionReferences.test.ts. Each step can be done again: the migration has no transaction, so that
 * the rows there were are looked at without a lock that others wait for. A row that refers to another institution's ends it
 * with that row's key; the reference before holds until then.
 */
export class InstitutionReferences1799000000002 implements MigrationInterface {
  readonly name = 'InstitutionReferences1799000000002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { added, replaced } of replacements) {
      const { table, name, definition } = added;
      if (!(await hasConstraint(runner, table, name))) {
        await runner.query(`${lock(added, 'SHARE ROW EXCLUSIVE')}; ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition} NOT VALID`);
      }
      await runner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`);
      if (await hasConstraint(runner, table, replaced.name)) {
        await runner.query(`${lock(replaced, 'ACCESS EXCLUSIVE')}; ALTER TABLE ${table} DROP CONSTRAINT ${replaced.name}`);
      }
    }
  }

  // TypeORM undoes in a transaction, whatever the migration says: writers wait while the references are checked.
  async down(runner: QueryRunner): Promise<void> {
    for (const { added, replaced } of replacements) {
      await runner.query(`ALTER TABLE ${added.table} DROP CONSTRAINT ${added.name}, ADD CONSTRAINT ${replaced.name} ${replaced.definition}`);
    }
  }
}
