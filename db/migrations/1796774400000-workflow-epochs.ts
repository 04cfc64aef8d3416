import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/**
 * The epochs of the database: one begins whenever a backup was restored, so that workflows get ids that Temporal has not
 * seen. Until then there is none. And how far the recipients of an exam's notice are gathered, which is done in chunks.
 */
export class WorkflowEpochs1796774400000 implements MigrationInterface {
  readonly name = 'WorkflowEpochs1796774400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE workflow_epochs (
  epoch text PRIMARY KEY CHECK (epoch ~ '^[0-9a-z]{4,16}$'),
  began_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE FUNCTION begin_workflow_epoch() RETURNS text LANGUAGE sql AS $$
  INSERT INTO workflow_epochs (epoch) VALUES (to_hex(floor(extract(epoch FROM clock_timestamp()))::bigint)) RETURNING epoch
$$;

ALTER TABLE exam_notices ADD COLUMN gathered_until text;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ workflow_epochs: 'true' }));
    await runner.query(`
ALTER TABLE exam_notices DROP COLUMN gathered_until;
DROP FUNCTION begin_workflow_epoch();
DROP TABLE workflow_epochs;
`);
  }
}
