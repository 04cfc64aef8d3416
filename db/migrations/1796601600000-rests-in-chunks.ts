import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A pause that has ended is added to the deadlines in chunks; deleted webhook endpoints leave, and no scan meets them until then.
 * No constraint leads from deliveries to endpoints any more: an endpoint is deleted after its deliveries, and to check that
 * Postgres would read every delivery of every institution, or keep one more index of them all.
 */
export class RestsInChunks1796601600000 implements MigrationInterface {
  readonly name = 'RestsInChunks1796601600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE webhook_endpoints
  ADD COLUMN rest_began_at timestamptz,
  ADD COLUMN rest_ended_at timestamptz,
  ADD CONSTRAINT webhook_endpoints_rest CHECK ((rest_began_at IS NULL) = (rest_ended_at IS NULL));
ALTER TABLE webhook_deliveries
  ADD COLUMN rest_added_at timestamptz,
  DROP CONSTRAINT webhook_deliveries_endpoint_id_fkey;
CREATE INDEX webhook_endpoints_rested ON webhook_endpoints (id) WHERE rest_ended_at IS NOT NULL;
CREATE INDEX webhook_endpoints_deleted ON webhook_endpoints (institution_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX webhook_endpoints_backlogs ON webhook_endpoints (id) WHERE backlog_open;
CREATE INDEX webhook_endpoints_failing ON webhook_endpoints (id) WHERE failing_since IS NOT NULL AND deleted_at IS NULL;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP INDEX webhook_endpoints_failing, webhook_endpoints_backlogs, webhook_endpoints_deleted, webhook_endpoints_rested;
ALTER TABLE webhook_deliveries
  ADD CONSTRAINT webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints (id),
  DROP COLUMN rest_added_at;
ALTER TABLE webhook_endpoints DROP CONSTRAINT webhook_endpoints_rest, DROP COLUMN rest_began_at, DROP COLUMN rest_ended_at;
`);
  }
}
