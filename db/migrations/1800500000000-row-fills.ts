import type { MigrationInterface, QueryRunner } from 'typeorm';
import { beginFill } from './fills';

/**
 * Columns of rows that are there are filled by a workflow, which keeps here how far it is. The first one goes through all deliveries, also
 * where 0.8.0 to 0.14.1 filled them in their migration: it then finds nothing to do.
 */
export class RowFills1800500000000 implements MigrationInterface {
  readonly name = 'RowFills1800500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE row_fills (
  name text PRIMARY KEY,
  table_name text NOT NULL,
  position text NOT NULL DEFAULT '',
  seen bigint NOT NULL DEFAULT 0,
  filled bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  progressed_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3)
)`);
    await beginFill(runner, 'delivery_error_class', 'webhook_deliveries');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE row_fills');
  }
}
