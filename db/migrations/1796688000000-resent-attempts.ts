import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log of a delivery says of each attempt whether its request was sent twice. The release before writes none that was. */
export class ResentAttempts1796688000000 implements MigrationInterface {
  readonly name = 'ResentAttempts1796688000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_attempts ADD COLUMN resent boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_attempts DROP COLUMN resent');
  }
}
