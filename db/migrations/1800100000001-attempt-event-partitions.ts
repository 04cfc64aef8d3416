import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexStatements, joinPartitions, partitionByTime, type TimePartitioned } from './timePartitions';

const attemptEvents: TimePartitioned = {
  table: 'attempt_events',
  column: 'attempt_id',
  prefix: 'att',
  period: 'month',
  kept: null,
  constraints: [
    'CONSTRAINT attempt_events_pkey PRIMARY KEY (attempt_id, id)',
    'CONSTRAINT attempt_events_institution_id_attempt_id_fkey FOREIGN KEY (institution_id, attempt_id) REFERENCES attempts (institution_id, id)',
    'CONSTRAINT attempt_events_institution_id_fkey FOREIGN KEY (institution_id) REFERENCES institutions (id)',
  ],
  indexes: { attempt_events_in_order: 'attempt_events (attempt_id, institution_id, at, id)', attempt_events_institution: 'attempt_events (institution_id)' },
  replaced: {},
  triggers: {},
  writtenBefore: ['attempts'],
};

/** The events of an attempt are in the month in which it began. They stay as long as the attempt: no partition is dropped. */
export class AttemptEventPartitions1800100000001 implements MigrationInterface {
  readonly name = 'AttemptEventPartitions1800100000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await partitionByTime(runner, attemptEvents);
  }

  async down(runner: QueryRunner): Promise<void> {
    await joinPartitions(runner, attemptEvents, indexStatements(attemptEvents.indexes));
  }
}
