import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently, dropConcurrently } from './concurrentIndexes';

/**
 * Deliveries are listed by an index without their id, in the order in which they are written: half as large as the one before, with
 * every page full. Those with one time are sorted as they are read.
 */
export class DeliveryListing1799600000001 implements MigrationInterface {
  readonly name = 'DeliveryListing1799600000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildConcurrently(runner, { webhook_deliveries_listed: 'webhook_deliveries (institution_id, created_at)' });
    await dropConcurrently(runner, 'webhook_deliveries_listing');
  }

  // TypeORM undoes in a transaction, whatever the migration says: writers wait meanwhile.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX webhook_deliveries_listing ON webhook_deliveries (institution_id, created_at DESC, id DESC);
DROP INDEX webhook_deliveries_listed;`);
  }
}
