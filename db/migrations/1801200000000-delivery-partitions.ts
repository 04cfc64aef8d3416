import type { MigrationInterface, QueryRunner } from 'typeorm';
import { firstRow } from '../firstRow';
import { createDeliveries } from './1801100000000-deliveries-of-both-tables';
import { lockBriefly } from './briefLocks';
import { hasConstraint } from './constraints';
import { rewriteFunction, undone, type Rewriting } from './rewriteFunction';
import { indexStatements, joinPartitions, makePartitions, partitionByTime, type TimePartitioned } from './timePartitions';

const isEnded = "CHECK (status IN ('delivered', 'dead', 'cancelled'))";
const retriedBy = "CHECK (retried_by IN ('workflow', 'backlog'))";

const webhookDeliveries: TimePartitioned = {
  table: 'webhook_deliveries',
  column: 'id',
  prefix: 'whd',
  period: 'week',
  // The attempts of this moment are in a month, and are deleted with their deliveries: from its end on both have the same weeks.
  firstPeriod: 'month',
  kept: '90 days',
  constraints: [
    'CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id)',
    `CONSTRAINT webhook_deliveries_ended ${isEnded}`,
    `CONSTRAINT webhook_deliveries_retried_by_check ${retriedBy}`,
    'CONSTRAINT webhook_deliveries_institution_id_fkey FOREIGN KEY (institution_id) REFERENCES institutions (id)',
  ],
  indexes: {
    webhook_deliveries_dead: "webhook_deliveries (institution_id, created_at DESC, id DESC) WHERE status = 'dead'",
    webhook_deliveries_error_class: "webhook_deliveries (institution_id, error_class, created_at DESC, id DESC) WHERE error_class IS NOT NULL AND status <> 'delivered'",
    webhook_deliveries_event: 'webhook_deliveries (event_id)',
    webhook_deliveries_failed_code: 'webhook_deliveries (institution_id, (response_code / 100), created_at DESC, id DESC) WHERE response_code >= 300',
    webhook_deliveries_listed: 'webhook_deliveries (institution_id, created_at)',
  },
  replaced: {},
  triggers: {},
  exchanged: [createDeliveries('webhook_deliveries')],
};

/** Constraints that the table got from the one it inherited from have its name: checks, and since Postgres 18 those of NOT NULL. */
const renameConstraints = (from: string, to: string): string => `
DO $$ DECLARE
  v_name text;
BEGIN
  FOR v_name IN SELECT conname FROM pg_constraint WHERE conrelid = 'open_deliveries'::regclass AND conname LIKE '${from}%' AND contype IN ('c', 'n') AND conname <> 'open_deliveries_id_not_null' LOOP
    EXECUTE format('ALTER TABLE open_deliveries RENAME CONSTRAINT %I TO %I', v_name, '${to}' || substr(v_name, length('${from}') + 1));
  END LOOP;
END $$`;

const inherits = "SELECT 1 FROM pg_inherits WHERE inhrelid = 'open_deliveries'::regclass";

/** The name of a partition says its first day, unless it has a month. */
const nameOfWeek: Rewriting = [["WHEN 'day' THEN 'YYYY_MM_DD' ELSE 'YYYY_MM' END", "WHEN 'month' THEN 'YYYY_MM' ELSE 'YYYY_MM_DD' END"]];

const allowPeriods = (periods: string): string => `ALTER TABLE partitioned_tables DROP CONSTRAINT partitioned_tables_period_check;
ALTER TABLE partitioned_tables ADD CONSTRAINT partitioned_tables_period_check CHECK (period IN (${periods}))`;

/** Months of attempts that were made ahead, and have no rows yet, where their deliveries have weeks. */
const dropMonthsAhead = `
DO $$ DECLARE
  v_part record;
  v_used boolean;
BEGIN
  LOCK TABLE ONLY public.webhook_attempts IN ACCESS EXCLUSIVE MODE;
  FOR v_part IN
    SELECT a.part FROM public.partitions_of('webhook_attempts') a
     WHERE a.since_id >= (SELECT min(d.until_id COLLATE "C") FROM public.partitions_of('webhook_deliveries') d)
       AND NOT EXISTS (SELECT 1 FROM public.partitions_of('webhook_deliveries') d WHERE d.since_id = a.since_id AND d.until_id = a.until_id)
     ORDER BY a.since_id DESC
  LOOP
    EXECUTE format('LOCK TABLE ONLY partitions.%I IN ACCESS EXCLUSIVE MODE', v_part.part);
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM ONLY partitions.%I)', v_part.part) INTO v_used;
    EXIT WHEN v_used;
    EXECUTE format('DROP TABLE partitions.%I', v_part.part);
  END LOOP;
  UPDATE public.partitioned_tables SET period = 'week' WHERE name = 'webhook_attempts';
END $$`;

/**
 * The history of deliveries is partitioned by weeks, and no longer what `open_deliveries` inherits from: what is older than 90 days goes
 * by dropping a partition. Attempts have the same weeks from the end of this month on, and go with them. 0.20.0 finds both tables by
 * the view `deliveries` as before (docs/decisions/0097-delivery-partitions.md).
 */
export class DeliveryPartitions1801200000000 implements MigrationInterface {
  readonly name = 'DeliveryPartitions1801200000000';
  // Each table is locked by itself; all of it can be done again.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(allowPeriods("'hour', 'day', 'week', 'month'"));
    await rewriteFunction(runner, 'make_partition', nameOfWeek);
    if ((await firstRow(runner, inherits)) !== undefined) {
      await lockBriefly(runner, 'open_deliveries', () => runner.query(`ALTER TABLE open_deliveries NO INHERIT webhook_deliveries; ${renameConstraints('webhook_deliveries_', 'open_deliveries_')}`));
    }
    if (await hasConstraint(runner, 'webhook_deliveries', 'webhook_deliveries_ended_check')) await replaceChecks(runner);
    await partitionByTime(runner, webhookDeliveries);
    await lockBriefly(runner, 'webhook_attempts', () => runner.query(dropMonthsAhead));
    await makePartitions(runner, 'webhook_attempts');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(createDeliveries('open_deliveries WHERE false'));
    await joinPartitions(runner, webhookDeliveries, indexStatements(webhookDeliveries.indexes));
    await runner.query(renameConstraints('open_deliveries_', 'webhook_deliveries_'));
    await runner.query(`
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_ended_check ${isEnded} NO INHERIT, DROP CONSTRAINT webhook_deliveries_ended,
  ADD CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('pending', 'retrying', 'held', 'delivered', 'dead', 'cancelled'));
ALTER TABLE open_deliveries INHERIT webhook_deliveries;
${createDeliveries('ONLY webhook_deliveries')};
UPDATE partitioned_tables SET period = 'month' WHERE period = 'week';
${allowPeriods("'hour', 'day', 'month'")}`);
    await rewriteFunction(runner, 'make_partition', undone(nameOfWeek));
  }
}

/** A check that no other table inherits cannot be one of a partitioned table. */
async function replaceChecks(runner: QueryRunner): Promise<void> {
  if (!(await hasConstraint(runner, 'webhook_deliveries', 'webhook_deliveries_ended'))) {
    await lockBriefly(runner, 'webhook_deliveries', () => runner.query(`ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_ended ${isEnded} NOT VALID`));
  }
  await runner.query('ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_ended');
  await lockBriefly(runner, 'webhook_deliveries', () =>
    runner.query('ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_ended_check, DROP CONSTRAINT IF EXISTS webhook_deliveries_status_check'));
}
