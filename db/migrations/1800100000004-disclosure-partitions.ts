import type { MigrationInterface, QueryRunner } from 'typeorm';
import { registration } from './timePartitions';

/** For the release before, which calls it every day and when an insert found no partition. */
const keep = `
CREATE OR REPLACE FUNCTION keep_disclosure_partitions() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_old record;
  v_dropped integer := 0;
BEGIN
  WHILE public.make_partition('disclosures') IS NOT NULL LOOP
    NULL;
  END LOOP;
  FOR v_old IN SELECT e.part FROM public.expired_partitions('disclosures') e LOOP
    IF public.drop_partition('disclosures', v_old.part) THEN
      v_dropped := v_dropped + 1;
    END IF;
  END LOOP;
  RETURN v_dropped;
END $$`;

const makeDefault = `
DO $$ BEGIN
  IF to_regclass('partitions.disclosures_default') IS NULL THEN
    -- Attaching a table that is complete locks out neither readers nor writers.
    CREATE TABLE partitions.disclosures_default (LIKE public.disclosures INCLUDING ALL);
    PERFORM public.guard_partition('disclosures', 'disclosures_default');
    ALTER TABLE public.disclosures ATTACH PARTITION partitions.disclosures_default DEFAULT;
  END IF;
END $$`;

/** Those of before, and a month for each row that none was made for. */
const before = `
CREATE FUNCTION make_disclosure_partition(p_month date) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_name text := 'disclosures_' || to_char(p_month, 'YYYY_MM');
BEGIN
  IF to_regclass('partitions.' || v_name) IS NOT NULL THEN
    RETURN;
  END IF;
  -- Attaching a table that is complete locks out neither readers nor writers.
  EXECUTE format('CREATE TABLE partitions.%I (LIKE public.disclosures INCLUDING ALL)', v_name);
  EXECUTE format('CREATE TRIGGER disclosures_whole BEFORE TRUNCATE ON partitions.%I FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_disclosure_change()', v_name);
  EXECUTE format('ALTER TABLE public.disclosures ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)',
    v_name, p_month::timestamp AT TIME ZONE 'UTC', (p_month + interval '1 month')::timestamp AT TIME ZONE 'UTC');
END $$;
REVOKE ALL ON FUNCTION make_disclosure_partition(date) FROM PUBLIC;

CREATE OR REPLACE FUNCTION keep_disclosure_partitions() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_this_month date := date_trunc('month', now() AT TIME ZONE 'UTC');
  v_old record;
  v_dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('disclosure partitions'));
  FOR v_ahead IN 0..3 LOOP
    PERFORM public.make_disclosure_partition((v_this_month + make_interval(months => v_ahead))::date);
  END LOOP;
  FOR v_old IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'public.disclosures'::regclass AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month 1 year' <= now() AT TIME ZONE 'UTC'
     ORDER BY c.relname
  LOOP
    EXECUTE format('DROP TABLE partitions.%I', v_old.relname);
    v_dropped := v_dropped + 1;
  END LOOP;
  RETURN v_dropped;
END $$;

ALTER TABLE disclosures DETACH PARTITION partitions.disclosures_default;
DO $$ DECLARE
  v_month date;
BEGIN
  FOR v_month IN SELECT DISTINCT date_trunc('month', at AT TIME ZONE 'UTC')::date FROM partitions.disclosures_default LOOP
    PERFORM make_disclosure_partition(v_month);
  END LOOP;
END $$;
INSERT INTO disclosures SELECT * FROM partitions.disclosures_default;
DROP TABLE partitions.disclosures_default;
DELETE FROM partitioned_tables WHERE name = 'disclosures'`;

/**
 * The months of the record of disclosures are kept as those of the other tables are. They are partitioned by the time itself, which is in the
 * primary key. A row that no month was made for goes to the default partition, as theirs do.
 */
export class DisclosurePartitions1800100000004 implements MigrationInterface {
  readonly name = 'DisclosurePartitions1800100000004';
  // Each step finds what the one before has made; all of it can be done again.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(registration({ table: 'disclosures', prefix: 'dsc', period: 'month', kept: '1 year' }));
    await runner.query(keep);
    await runner.query('DROP FUNCTION IF EXISTS make_disclosure_partition(date)');
    await runner.query(makeDefault);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(before);
  }
}
