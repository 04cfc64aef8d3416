import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently } from './concurrentIndexes';

/**
 * Progress in Alpha Learning is found by day: a day of a student takes so much of it, and days that are long over are
 * removed. The table is big, so its index is built beside writers, which no transaction can do: a build that broke off
 * leaves an index that is not valid, and the next one begins by dropping it.
 */
export class ProgressKept1796256000000 implements MigrationInterface {
  readonly name = 'ProgressKept1796256000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildConcurrently(runner, { alpha_progress_day: 'alpha_progress (day, student_id)' });
  }

  // TypeORM undoes in a transaction, whatever the migration says: writers wait for the moment of the drop.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX alpha_progress_day');
  }
}
