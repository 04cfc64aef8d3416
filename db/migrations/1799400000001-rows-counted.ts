import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently, dropConcurrently } from './concurrentIndexes';

const indexes: Record<string, string> = {
  licenses_by_expiry: 'licenses (institution_id, expires_at) INCLUDE (created_at, id)',
  submissions_by_change: 'submissions (institution_id, updated_at) INCLUDE (submitted_at, id)',
  users_by_change: "users (institution_id, updated_at) INCLUDE (kind, created_at, id) WHERE kind = 'student'",
  users_by_status: 'users (institution_id, kind, status, created_at DESC, id DESC)',
  licenses_by_status: 'licenses (institution_id, status, created_at DESC, id DESC)',
  submissions_by_exam: 'submissions (institution_id, exam_id, submitted_at DESC, id DESC)',
  submissions_by_status: 'submissions (institution_id, status, submitted_at DESC, id DESC)',
};

/** Each is served by one of the new ones. The release before does without their names. */
const replaced: Record<string, string> = {
  licenses_institution_expiry: 'licenses (institution_id, expires_at)',
  submissions_changed: 'submissions (institution_id, updated_at)',
  users_students_changed: "users (institution_id, updated_at) WHERE kind = 'student'",
};

const next = 'SELECT id FROM institutions WHERE id > $1 ORDER BY id LIMIT 1';

/** Returns the only row's id; undefined without one. */
function idOf(rows: unknown): string | undefined {
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  return typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string' ? row.id : undefined;
}

/**
 * Counts the rows that were there before their triggers, while others write, each institution in a statement of its own. The
 * difference between an institution's rows and their counts is the same at every moment, since each later change counts itself in its
 * own transaction: read in one snapshot, it is added once, without a lock. If this breaks off, it is done again.
 */
export class RowsCounted1799400000001 implements MigrationInterface {
  readonly name = 'RowsCounted1799400000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildConcurrently(runner, indexes);
    for (const name of Object.keys(replaced)) await dropConcurrently(runner, name);
    for (let id = idOf(await runner.query(next, [''])); id !== undefined; id = idOf(await runner.query(next, [id]))) {
      await runner.query('SELECT correct_row_counts($1)', [id]);
    }
  }

  // The counts stay: the migration before drops them.
  async down(runner: QueryRunner): Promise<void> {
    for (const [name, rows] of Object.entries(replaced)) await runner.query(`CREATE INDEX ${name} ON ${rows}`);
    await runner.query(`DROP INDEX ${Object.keys(indexes).join(', ')}`);
  }
}
