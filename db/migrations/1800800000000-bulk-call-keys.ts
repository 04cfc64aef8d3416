import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './briefLocks';

/** A bulk call says whether it was sent with an `Idempotency-Key`, never which; null for calls of the release before. */
export class BulkCallKeys1800800000000 implements MigrationInterface {
  readonly name = 'BulkCallKeys1800800000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'provisioning_batches', () => runner.query('ALTER TABLE provisioning_batches ADD COLUMN IF NOT EXISTS has_idempotency_key boolean'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provisioning_batches DROP COLUMN has_idempotency_key');
  }
}
