import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes by which what is over is found. Each is built in the migration's transaction, which reads its table once and
 * keeps writers out meanwhile: some seconds for ten million rows. They are sessions, sign-in codes and batches; events
 * and deliveries, which are far larger, are found by indexes that they have.
 */
export class Retention1795478400000 implements MigrationInterface {
  readonly name = 'Retention1795478400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
SET LOCAL statement_timeout = 0;
CREATE INDEX sessions_over ON sessions (least(ended_at, expires_at));
CREATE INDEX sign_in_codes_created ON sign_in_codes (created_at);
CREATE INDEX provisioning_batches_ended ON provisioning_batches (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_endpoints_circuit_open ON webhook_endpoints (id) WHERE circuit = 'open';
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP INDEX webhook_endpoints_circuit_open;
DROP INDEX provisioning_batches_ended;
DROP INDEX sign_in_codes_created;
DROP INDEX sessions_over;
`);
  }
}
