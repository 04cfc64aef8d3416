import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partitionFunctions } from './1799700000000-partitions';

/** Those that were there take over their names: what calls them goes on. */
const functions = [
  `CREATE OR REPLACE FUNCTION is_partitioned_by_time(p_table text) RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT a.atttypid = 'timestamptz'::regtype FROM pg_partitioned_table k JOIN pg_attribute a ON a.attrelid = k.partrelid AND a.attnum = k.partattrs[0]
   WHERE k.partrelid = to_regclass('public.' || quote_ident(p_table))
$$`,
  // Bounds are ids, or the times of which these are the ids.
  `CREATE OR REPLACE FUNCTION partitions_of(p_table text) RETURNS TABLE (part text, since_id text, until_id text) LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT c.relname::text, CASE WHEN b.by_time THEN public.start_of_ids(k.prefix, b.since::timestamptz) ELSE b.since END,
         CASE WHEN b.by_time THEN public.start_of_ids(k.prefix, b.until::timestamptz) ELSE b.until END
    FROM public.partitioned_tables k JOIN pg_inherits i ON i.inhparent = to_regclass('public.' || quote_ident(k.name)) JOIN pg_class c ON c.oid = i.inhrelid
   CROSS JOIN LATERAL (
     SELECT public.is_partitioned_by_time(p_table) AS by_time, d.bound AS definition, substring(d.bound FROM 'FROM \\(''([^'']*)''\\)') AS since, substring(d.bound FROM 'TO \\(''([^'']*)''\\)') AS until
       FROM pg_get_expr(c.relpartbound, c.oid) AS d (bound)) b
   WHERE k.name = p_table AND b.definition <> 'DEFAULT'
$$`,
  // Triggers for rows come with the table that a partition becomes a part of; one that refuses a TRUNCATE does not.
  `CREATE OR REPLACE FUNCTION guard_partition(p_table text, p_part text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_trigger record;
BEGIN
  FOR v_trigger IN
    SELECT t.tgname, t.tgfoid::regproc::text AS refuse FROM pg_trigger t
     WHERE t.tgrelid = to_regclass('public.' || quote_ident(p_table)) AND NOT t.tgisinternal AND t.tgtype & 33 = 32
  LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON partitions.%I FOR EACH STATEMENT EXECUTE FUNCTION %s()', v_trigger.tgname, p_part, v_trigger.refuse);
  END LOOP;
END $$`,
  // Attaching a table that is complete locks out neither readers nor writers of the others; the default partition for the moment in which it is looked at.
  `CREATE OR REPLACE FUNCTION make_partition(p_table text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms' AS $$
DECLARE
  v_kind public.partitioned_tables;
  v_by_time boolean := public.is_partitioned_by_time(p_table);
  v_since timestamptz;
  v_until timestamptz;
  v_name text;
BEGIN
  SELECT * INTO STRICT v_kind FROM public.partitioned_tables WHERE name = p_table FOR UPDATE;
  -- Periods that are over get none: what was written in them is in the default partition.
  SELECT greatest(public.time_of_id(max(p.until_id COLLATE "C")), date_trunc(v_kind.period, now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC') INTO v_since
    FROM public.partitions_of(p_table) p;
  WHILE v_since <= now() + 3 * ('1 ' || v_kind.period)::interval LOOP
    v_until := public.next_period(v_kind.period, v_since);
    v_name := p_table || '_' || to_char(v_since AT TIME ZONE 'UTC', CASE v_kind.period WHEN 'hour' THEN 'YYYY_MM_DD_HH24' WHEN 'day' THEN 'YYYY_MM_DD' ELSE 'YYYY_MM' END);
    BEGIN
      EXECUTE format('CREATE TABLE partitions.%I (LIKE public.%I INCLUDING ALL)', v_name, p_table);
      PERFORM public.guard_partition(p_table, v_name);
      EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)', p_table, v_name,
        CASE WHEN v_by_time THEN v_since::text ELSE public.start_of_ids(v_kind.prefix, v_since) END, CASE WHEN v_by_time THEN v_until::text ELSE public.start_of_ids(v_kind.prefix, v_until) END);
      RETURN v_name;
    EXCEPTION WHEN check_violation THEN
      -- The default partition has rows of this period, and keeps it.
      v_since := v_until;
    END;
  END LOOP;
  RETURN NULL;
END $$`,
  // Attempts go with their deliveries. An entry of the audit log is as old as the database says, not as its id does.
  `CREATE OR REPLACE FUNCTION partition_is_needed(p_table text, p_since_id text, p_until_id text) RETURNS boolean LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE p_table
    WHEN 'events' THEN public.events_are_needed(p_since_id, p_until_id)
    WHEN 'webhook_attempts' THEN EXISTS (SELECT 1 FROM public.webhook_deliveries WHERE id >= coalesce(p_since_id, '') AND id < p_until_id)
    WHEN 'audit_log' THEN EXISTS (
      SELECT 1 FROM public.audit_log
       WHERE id >= coalesce(p_since_id, '') AND id < p_until_id AND at >= now() - (SELECT kept FROM public.partitioned_tables WHERE name = 'audit_log'))
    ELSE false END
$$`,
  // Looks twice: without a lock, and after everybody who was protecting a row, as a replay does, has ended. Readers go on during
  // both; they wait while the partition is dropped.
  `CREATE OR REPLACE FUNCTION drop_partition(p_table text, p_part text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms' AS $$
DECLARE
  v_part record;
BEGIN
  SELECT * INTO v_part FROM public.expired_partitions(p_table) e WHERE e.part = p_part;
  IF NOT FOUND OR public.partition_is_needed(p_table, v_part.since_id, v_part.until_id) THEN
    RETURN false;
  END IF;
  EXECUTE format('LOCK TABLE ONLY partitions.%I IN EXCLUSIVE MODE', p_part);
  IF public.partition_is_needed(p_table, v_part.since_id, v_part.until_id) THEN
    RETURN false;
  END IF;
  EXECUTE format('LOCK TABLE ONLY public.%I IN ACCESS EXCLUSIVE MODE', p_table);
  EXECUTE format('DROP TABLE partitions.%I', p_part);
  RETURN true;
END $$`,
  // The rows that no partition was made for, up to 1,000 of each table.
  `CREATE OR REPLACE FUNCTION rows_without_partition() RETURNS TABLE (name text, rows integer) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  FOR name IN SELECT k.name FROM public.partitioned_tables k ORDER BY k.name LOOP
    IF to_regclass('partitions.' || quote_ident(name || '_default')) IS NOT NULL THEN
      EXECUTE format('SELECT count(*)::integer FROM (SELECT 1 FROM partitions.%I LIMIT 1000) counted', name || '_default') INTO rows;
      RETURN NEXT;
    END IF;
  END LOOP;
END $$`,
  // Of the table as a whole: autovacuum does it of each partition. Before Postgres 18 there is no ONLY. Waits for nobody.
  `CREATE OR REPLACE FUNCTION analyze_partitioned(p_table text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF p_table IN (SELECT name FROM public.partitioned_tables) THEN
    EXECUTE format('ANALYZE (SKIP_LOCKED) %s public.%I', CASE WHEN current_setting('server_version_num')::integer >= 180000 THEN 'ONLY' END, p_table);
  END IF;
END $$`,
];

/**
 * What the partitions of events need to be those of every history: a table may keep its partitions for ever, have months, be partitioned by a time in
 * the place of ids, and refuse a TRUNCATE of each partition. The planner learns of a partitioned table what its partitions have together.
 */
export class HistoryPartitions1800100000000 implements MigrationInterface {
  readonly name = 'HistoryPartitions1800100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE partitioned_tables ALTER COLUMN kept DROP NOT NULL');
    for (const text of functions) await runner.query(text);
    await runner.query('REVOKE ALL ON FUNCTION guard_partition(text, text), analyze_partitioned(text) FROM PUBLIC');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const text of partitionFunctions) await runner.query(text);
    await runner.query(`
DROP FUNCTION analyze_partitioned(text), partition_is_needed(text, text, text), guard_partition(text, text), is_partitioned_by_time(text);
ALTER TABLE partitioned_tables ALTER COLUMN kept SET NOT NULL`);
  }
}
