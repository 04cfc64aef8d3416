import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Progress in Alpha Learning is found by day: a day of a student takes so much of it, and days that are long over are removed. */
export class ProgressKept1796256000000 implements MigrationInterface {
  readonly name = 'ProgressKept1796256000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX alpha_progress_day ON alpha_progress (day, student_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX alpha_progress_day');
  }
}
