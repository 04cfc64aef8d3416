import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently } from './concurrentIndexes';

const indexes: Record<string, string> = {
  users_by_status: 'users (institution_id, kind, status, created_at DESC, id DESC)',
  licenses_by_status: 'licenses (institution_id, status, created_at DESC, id DESC)',
  submissions_by_status: 'submissions (institution_id, status, submitted_at DESC, id DESC)',
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
    for (let id = idOf(await runner.query(next, [''])); id !== undefined; id = idOf(await runner.query(next, [id]))) {
      await runner.query('SELECT correct_row_counts($1)', [id]);
    }
  }

  // The counts stay: the migration before drops them.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(indexes).join(', ')}`);
  }
}
