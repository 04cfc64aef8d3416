import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps when an endpoint began to fail: `failing_since`, from which the 72 hours count, moves forward by pauses. The release before
 * writes neither column, so the first failure counts only for the `failing_since` that it was kept for.
 */
export class FirstFailures1799500000000 implements MigrationInterface {
  readonly name = 'FirstFailures1799500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints ADD COLUMN first_failed_at timestamptz, ADD COLUMN moved_failing_since timestamptz');
  }

  // The release before shows the time that pauses have moved.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN first_failed_at, DROP COLUMN moved_failing_since');
  }
}
