import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rewriteFunction, undone, type Rewriting } from './rewriteFunction';

/** The columns of a delivery, in their order. */
const deliveryColumns = [
  'id', 'institution_id', 'endpoint_id', 'event_id', 'event_type', 'event_created_at', 'status', 'cycle', 'attempts', 'schedule_step', 'response_code', 'first_attempt_at',
  'next_attempt_at', 'deadline_at', 'delivered_at', 'claimed_by', 'claimed_until', 'created_at', 'retried_by', 'held_at', 'rest_added_at', 'error_class', 'ended_at', 'end_reason',
].join(', ');

/** Who reads it is bound by the policies of both tables, as a reader of these is. */
export const createDeliveries = (ended: string): string => `CREATE OR REPLACE VIEW deliveries WITH (security_invoker = true) AS
  SELECT ${deliveryColumns} FROM ${ended} UNION ALL SELECT ${deliveryColumns} FROM open_deliveries`;

/** A row is locked in the table that has it; one that is replayed in between is found by the condition of the insert. */
const recordFailures: Rewriting = [
  [
    "  PERFORM 1 FROM webhook_deliveries WHERE id IN (SELECT a ->> 'delivery_id' FROM json_array_elements(p_attempts) AS a) ORDER BY id FOR KEY SHARE;\n",
    `  PERFORM 1 FROM open_deliveries WHERE id IN (SELECT a ->> 'delivery_id' FROM json_array_elements(p_attempts) AS a) ORDER BY id FOR KEY SHARE;
  PERFORM 1 FROM webhook_deliveries WHERE id IN (SELECT a ->> 'delivery_id' FROM json_array_elements(p_attempts) AS a) ORDER BY id FOR KEY SHARE;
`,
  ],
  [
    '   WHERE EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = x.delivery_id FOR KEY SHARE)\n',
    `   WHERE EXISTS (SELECT 1 FROM open_deliveries d WHERE d.id = x.delivery_id FOR KEY SHARE)
      OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = x.delivery_id FOR KEY SHARE)
`,
  ],
];

const partitionIsNeeded: Rewriting = [['EXISTS (SELECT 1 FROM public.webhook_deliveries WHERE id >=', 'EXISTS (SELECT 1 FROM public.deliveries WHERE id >=']];

/**
 * What reads open and ended deliveries reads `deliveries`, and no longer relies on `open_deliveries` inheriting from the history: the release after
 * this one ends that, and partitions the history. 0.19.0 finds both in `webhook_deliveries` as before.
 */
export class DeliveriesOfBothTables1801100000000 implements MigrationInterface {
  readonly name = 'DeliveriesOfBothTables1801100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createDeliveries('ONLY webhook_deliveries'));
    await rewriteFunction(runner, 'record_failures', recordFailures);
    await rewriteFunction(runner, 'partition_is_needed', partitionIsNeeded);
  }

  async down(runner: QueryRunner): Promise<void> {
    await rewriteFunction(runner, 'partition_is_needed', undone(partitionIsNeeded));
    await rewriteFunction(runner, 'record_failures', undone(recordFailures));
    await runner.query('DROP VIEW deliveries');
  }
}
