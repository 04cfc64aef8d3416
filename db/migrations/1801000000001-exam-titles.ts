import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently } from './concurrentIndexes';

/** The index by which support finds exams of any institution by the beginning of their title. */
export class ExamTitles1801000000001 implements MigrationInterface {
  readonly name = 'ExamTitles1801000000001';
  // An index is built while others write, which no transaction can do.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildConcurrently(runner, { exams_by_title: 'exams (lower(title) text_pattern_ops, id DESC)' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX exams_by_title');
  }
}
