import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexStatements, joinPartitions, partitionByTime, type TimePartitioned } from './timePartitions';

const webhookAttempts: TimePartitioned = {
  table: 'webhook_attempts',
  column: 'delivery_id',
  prefix: 'whd',
  period: 'month',
  kept: '90 days',
  constraints: [
    'CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number)',
    "CONSTRAINT webhook_attempts_error_class_check CHECK (error_class IN ('dns', 'connect', 'tls', 'timeout', 'http', 'blocked'))",
  ],
  indexes: { webhook_attempts_endpoint: 'webhook_attempts (endpoint_id, started_at)' },
  replaced: {},
  triggers: { webhook_attempts_counted: 'AFTER INSERT ON webhook_attempts REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION count_attempts()' },
};

/**
 * The attempts of a delivery are in the month in which it was made, whenever they were. They are deleted with it, so that no answer of a receiver
 * outlives its delivery; a partition whose deliveries are all gone is dropped with what is left, and gives its room on the disk back.
 */
export class WebhookAttemptPartitions1800100000003 implements MigrationInterface {
  readonly name = 'WebhookAttemptPartitions1800100000003';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await partitionByTime(runner, webhookAttempts);
  }

  async down(runner: QueryRunner): Promise<void> {
    await joinPartitions(runner, webhookAttempts, indexStatements(webhookAttempts.indexes));
  }
}
