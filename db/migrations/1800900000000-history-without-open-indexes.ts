import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropConcurrently } from './concurrentIndexes';

/** Indexes of deliveries in a status that the table no longer has. */
const indexes = {
  webhook_deliveries_unclaimed: "webhook_deliveries (endpoint_id, event_created_at) WHERE status = 'pending' AND claimed_by IS NULL",
  webhook_deliveries_claimed: 'webhook_deliveries (claimed_until) WHERE claimed_by IS NOT NULL',
  webhook_deliveries_open: "webhook_deliveries (endpoint_id, status, event_created_at) WHERE status IN ('retrying', 'held')",
  webhook_deliveries_retried: "webhook_deliveries (endpoint_id, retried_by, next_attempt_at) WHERE status = 'retrying'",
  open_deliveries_ended: "open_deliveries (id) WHERE status IN ('delivered', 'dead', 'cancelled')",
};

/**
 * The history of deliveries has no open ones since 0.18.0, and `open_deliveries` no ended ones: what found those in the wrong table goes,
 * and with it a condition to be evaluated for each delivery that is written or moved, and an index to be considered by each statement.
 */
export class HistoryWithoutOpenIndexes1800900000000 implements MigrationInterface {
  readonly name = 'HistoryWithoutOpenIndexes1800900000000';
  // An index is dropped while others write, which no transaction can do.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(indexes)) await dropConcurrently(runner, name);
  }

  // TypeORM undoes in a transaction, whatever the migration says: writers wait while the indexes are built.
  async down(runner: QueryRunner): Promise<void> {
    for (const [name, rows] of Object.entries(indexes)) await runner.query(`CREATE INDEX ${name} ON ${rows}`);
  }
}
