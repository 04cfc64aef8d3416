import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently } from './concurrentIndexes';

const indexes: Record<string, string> = {
  // A class is in the order of the list; a code is found within its class. Neither has an entry for a delivery that succeeds.
  webhook_deliveries_failed_code: 'webhook_deliveries (institution_id, (response_code / 100), created_at DESC, id DESC) WHERE response_code >= 300',
  webhook_deliveries_error_class: "webhook_deliveries (institution_id, error_class, created_at DESC, id DESC) WHERE error_class IS NOT NULL AND status <> 'delivered'",
};

/** What `record_failures` says more than before: where the last attempt failed. */
const changes = [
  ['response_code int, next_attempt_at timestamptz, schedule_step int, owed json', 'response_code int, error_class text, next_attempt_at timestamptz, schedule_step int, owed json'],
  ['response_code = j.response_code,', 'response_code = j.response_code, error_class = j.error_class,'],
] as const;

const readFunction = "SELECT pg_get_functiondef('record_failures(json, text, integer, integer, interval)'::regprocedure) AS text";

/** Returns a column of the only row; null where it is. */
function columnOf(rows: unknown, name: string): string | null {
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, name) : null;
  return typeof value === 'string' ? value : null;
}

/** Changes the function where it says one thing, to say the other; no-op if it says that already. */
async function changeFunction(runner: QueryRunner, replacements: readonly (readonly [string, string])[]): Promise<void> {
  let text = columnOf(await runner.query(readFunction), 'text') ?? '';
  for (const [from, to] of replacements) {
    const isToDo = text.includes(from) && (from.includes(to) || !text.includes(to));
    if (!isToDo && text.includes(to)) continue;
    if (!isToDo) throw new Error(`record_failures does not contain: ${from}`);
    text = text.replace(from, to);
  }
  await runner.query(text);
}

/**
 * Deliveries are found by the response and by the error of their last attempt; an endpoint remembers when a recovery was last
 * requested. The indexes are built beside writers, which no transaction can do: a build that broke off leaves an index that is
 * not valid, and the next one begins by dropping it. The error of deliveries that failed before is filled in by what `RowFills` begins;
 * until 0.14.1 this migration did it.
 */
export class FindingDeliveries1797552000000 implements MigrationInterface {
  readonly name = 'FindingDeliveries1797552000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries ADD COLUMN IF NOT EXISTS error_class text');
    await runner.query('ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS recovery_asked_at timestamptz');
    await changeFunction(runner, changes);
    await buildConcurrently(runner, indexes);
  }

  // TypeORM undoes in a transaction, whatever the migration says: writers wait for the moment of the drop.
  async down(runner: QueryRunner): Promise<void> {
    await changeFunction(runner, changes.map(([before, now]) => [now, before] as const));
    await runner.query(`DROP INDEX ${Object.keys(indexes).join(', ')}`);
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN recovery_asked_at');
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN error_class');
  }
}
