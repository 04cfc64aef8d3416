import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which version of the workers was current when Temporal was last asked: Temporal alone knows it otherwise, and may lose its data. Going
 * back loses nothing: workers record it again.
 */
export class WorkerDeployments1800400000000 implements MigrationInterface {
  readonly name = 'WorkerDeployments1800400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE worker_deployments (
  name text PRIMARY KEY,
  current_build_id text,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE worker_deployments');
  }
}
