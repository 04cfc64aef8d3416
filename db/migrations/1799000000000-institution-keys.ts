import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildUniqueConcurrently } from './concurrentIndexes';
import { hasConstraint } from './constraints';

/** By their names: a table, and the columns that are unique without the institution already. */
const keys: Readonly<Record<string, readonly [table: string, columns: string]>> = {
  users_of_institution: ['users', 'id'],
  licenses_of_institution: ['licenses', 'id'],
  sessions_of_institution: ['sessions', 'id'],
  groups_of_institution: ['groups', 'id'],
  exams_of_institution: ['exams', 'id'],
  exam_notices_of_institution: ['exam_notices', 'exam_id, number'],
  attempts_of_institution: ['attempts', 'id'],
  attempts_of_exam_and_student: ['attempts', 'id, exam_id, student_id'],
  submissions_of_institution: ['submissions', 'id'],
  files_of_institution: ['files', 'id'],
  alpha_enrollments_of_institution: ['alpha_enrollments', 'id'],
  coupon_batches_of_institution: ['coupon_batches', 'id'],
  coupons_of_institution: ['coupons', 'batch_id, number'],
  provisioning_batches_of_institution: ['provisioning_batches', 'id'],
  webhook_endpoints_of_institution: ['webhook_endpoints', 'id'],
};

/**
 * What rows refer to is unique with its institution, so that a reference can name the institution, too. Each step can be done again:
 * the migration has no transaction, for its indexes are built beside writers, who wait only while an index becomes a constraint.
 */
export class InstitutionKeys1799000000000 implements MigrationInterface {
  readonly name = 'InstitutionKeys1799000000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, [table, columns]] of Object.entries(keys)) {
      if (await hasConstraint(runner, table, name)) continue;
      await buildUniqueConcurrently(runner, { [name]: `${table} (institution_id, ${columns})` });
      await runner.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} UNIQUE USING INDEX ${name}`);
    }
  }

  // TypeORM undoes in a transaction, whatever the migration says: writers wait for the moment of the drop.
  async down(runner: QueryRunner): Promise<void> {
    for (const [name, [table]] of Object.entries(keys)) await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
}
