import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './briefLocks';

/**
 * A bulk call is given up by the real time since it was opened, which the clock of a sandbox does not move. The release
 * before does not name the column: its calls get the time of their statement.
 */
export class BulkCallOpening1801300000000 implements MigrationInterface {
  readonly name = 'BulkCallOpening1801300000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'provisioning_batches', () =>
      runner.query('ALTER TABLE provisioning_batches ADD COLUMN IF NOT EXISTS opened_at timestamptz NOT NULL DEFAULT now()'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provisioning_batches DROP COLUMN opened_at');
  }
}
