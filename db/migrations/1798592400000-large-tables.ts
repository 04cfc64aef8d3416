import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently } from './concurrentIndexes';

const indexes: Record<string, string> = {
  audit_log_export: 'audit_log (at, id)',
  files_attempt_bytes: "files (attempt_id) INCLUDE (size) WHERE attempt_id IS NOT NULL AND status <> 'removed'",
  files_export: "files (institution_id, filename) WHERE kind = 'export'",
  attempts_with_traces: 'attempts (institution_id, ended_at, id) WHERE ended_at IS NOT NULL AND (recordings_removed_at IS NULL OR details_removed_at IS NULL)',
  users_suspended: "users (institution_id, suspended_at, id) WHERE status = 'suspended' AND erased_at IS NULL",
};

/** Added without looking at the rows there were, which the release before goes on writing meanwhile. */
const constraints = { audit_log: ['audit_log_actor_kind_check'], files: ['files_check', 'files_kind_check'] };

const batchSize = 5_000;

const fillBatch = `WITH part AS MATERIALIZED (SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT ${batchSize}), filled AS (
    UPDATE users SET suspended_at = updated_at WHERE id = ANY (ARRAY(SELECT id FROM part)) AND status = 'suspended' AND suspended_at IS NULL
  )
  SELECT max(id) AS id FROM part`;

/** Adds a constraint anew, as the migrations before left it. */
const forgetValidation = (table: string, name: string): string => `
DO $$ DECLARE
  v_definition text := pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = '${table}'::regclass AND conname = '${name}';
BEGIN
  EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT ${name}, ADD CONSTRAINT ${name} %s NOT VALID', v_definition);
END $$`;

/** Returns the only row's id; undefined without one. */
function idOf(rows: unknown): string | undefined {
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  return typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string' ? row.id : undefined;
}

/**
 * What the migrations of 0.10.0 do to the rows of tables that the release before is writing: while it does, in no transaction, each
 * step done again where it broke off. For people who are suspended now, the time of their last change is that of the suspension,
 * which was not later: nobody is erased too early.
 */
export class LargeTables1798592400000 implements MigrationInterface {
  readonly name = 'LargeTables1798592400000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildConcurrently(runner, indexes);
    for (const [table, names] of Object.entries(constraints)) {
      for (const name of names) await runner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`);
    }
    for (let after: string | undefined = ''; after !== undefined; ) {
      after = idOf(await runner.query(fillBatch, [after]));
    }
  }

  // TypeORM undoes in a transaction, whatever the migration says: writers wait for the moment of the drop.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(indexes).join(', ')}`);
    for (const [table, names] of Object.entries(constraints)) {
      for (const name of names) await runner.query(forgetValidation(table, name));
    }
  }
}
