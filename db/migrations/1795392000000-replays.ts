import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replays are counted by their ref. */
export class Replays1795392000000 implements MigrationInterface {
  readonly name = 'Replays1795392000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX webhook_replays_ref ON webhook_replays (institution_id, ref);
DROP INDEX webhook_replays_institution;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX webhook_replays_institution ON webhook_replays (institution_id);
DROP INDEX webhook_replays_ref;
`);
  }
}
