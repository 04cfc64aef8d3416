import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently } from './concurrentIndexes';

const indexes: Record<string, string> = {
  event_queue_by_institution: 'event_queue (institution_id, seq)',
  webhook_endpoints_resting: "webhook_endpoints (id) WHERE resting_since IS NOT NULL AND status = 'active'",
};

/**
 * Queued events are found by institution, so that those of one whose locks somebody holds are passed over without being read,
 * and so are endpoints whose rest goes on though they take deliveries again. Both indexes are built beside writers, which no
 * transaction can do: a build that broke off leaves an index that is not valid, and the next one begins by dropping it.
 */
export class QueueByInstitution1796947200000 implements MigrationInterface {
  readonly name = 'QueueByInstitution1796947200000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildConcurrently(runner, indexes);
  }

  // TypeORM undoes in a transaction, whatever the migration says: writers wait for the moment of the drop.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(indexes).join(', ')}`);
  }
}
