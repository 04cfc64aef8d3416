import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A delivery that ended without an attempt has the moment and the reason. Where an attempt ended it, that attempt says both. Deliveries
 * that ended before have neither.
 */
export class DeliveryEnds1797811200000 implements MigrationInterface {
  readonly name = 'DeliveryEnds1797811200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries ADD COLUMN ended_at timestamptz, ADD COLUMN end_reason text');
  }

  // The reasons are lost: the release before shows none.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN ended_at, DROP COLUMN end_reason');
  }
}
