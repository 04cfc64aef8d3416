import type { MigrationInterface, QueryRunner } from 'typeorm';
import { joinPartitions, partitionByTime, type TimePartitioned } from './timePartitions';

const events: TimePartitioned = {
  table: 'events',
  column: 'id',
  prefix: 'evt',
  period: 'day',
  // An id is made before its event gets its time, by the clock of another machine.
  kept: '30 days 1 hour',
  constraints: ['CONSTRAINT events_pkey PRIMARY KEY (id)', 'CONSTRAINT events_institution_id_fkey FOREIGN KEY (institution_id) REFERENCES institutions (id)'],
  indexes: { events_feed: 'events (institution_id, created_at)', events_feed_by_type: 'events (institution_id, type text_pattern_ops, created_at)' },
  replaced: { events_feed_parts: 'events (institution_id, created_at)' },
  triggers: {},
};

const settings = `
CREATE TABLE IF NOT EXISTS partitioned_tables (
  name text PRIMARY KEY,
  prefix text NOT NULL,
  period text NOT NULL CHECK (period IN ('hour', 'day', 'month')),
  kept interval NOT NULL
)`;

const alphabet = "'0123456789abcdefghjkmnpqrstvwxyz'";

/** Each replaces itself, so that a try that broke off can be done again. */
export const partitionFunctions = [
  `CREATE OR REPLACE FUNCTION start_of_ids(p_prefix text, p_at timestamptz) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT p_prefix || '_' || string_agg(substr(${alphabet}, ((at.ms >> (5 * digit)) & 31)::integer + 1, 1), '' ORDER BY digit DESC)
    FROM (SELECT floor(extract(epoch FROM p_at) * 1000)::bigint AS ms) at, generate_series(0, 9) AS digit
$$`,
  `CREATE OR REPLACE FUNCTION time_of_id(p_id text) RETURNS timestamptz LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT 'epoch'::timestamptz + sum((strpos(${alphabet}, substr(split_part(p_id, '_', 2), nth, 1)) - 1)::bigint << (5 * (10 - nth)))::float8 * interval '1 millisecond'
    FROM generate_series(1, 10) AS nth
$$`,
  `CREATE OR REPLACE FUNCTION next_period(p_period text, p_at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT (date_trunc(p_period, p_at AT TIME ZONE 'UTC') + ('1 ' || p_period)::interval) AT TIME ZONE 'UTC'
$$`,
  `CREATE OR REPLACE FUNCTION partitions_of(p_table text) RETURNS TABLE (part text, since_id text, until_id text) LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT c.relname::text, substring(b.bound FROM 'FROM \\(''([^'']*)''\\)'), substring(b.bound FROM 'TO \\(''([^'']*)''\\)')
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid CROSS JOIN LATERAL pg_get_expr(c.relpartbound, c.oid) AS b (bound)
   WHERE i.inhparent = to_regclass('public.' || quote_ident(p_table)) AND b.bound <> 'DEFAULT'
$$`,
  // Attaching a table that is complete locks out neither readers nor writers of the others; the default partition for the moment in which it is looked at.
  `CREATE OR REPLACE FUNCTION make_partition(p_table text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms' AS $$
DECLARE
  v_kind public.partitioned_tables;
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
    v_name := p_table || '_' || to_char(v_since AT TIME ZONE 'UTC', CASE v_kind.period WHEN 'hour' THEN 'YYYY_MM_DD_HH24' ELSE 'YYYY_MM_DD' END);
    BEGIN
      EXECUTE format('CREATE TABLE partitions.%I (LIKE public.%I INCLUDING ALL)', v_name, p_table);
      EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)',
        p_table, v_name, public.start_of_ids(v_kind.prefix, v_since), public.start_of_ids(v_kind.prefix, v_until));
      RETURN v_name;
    EXCEPTION WHEN check_violation THEN
      -- The default partition has rows of this period, and keeps it.
      v_since := v_until;
    END;
  END LOOP;
  RETURN NULL;
END $$`,
  `CREATE OR REPLACE FUNCTION expired_partitions(p_table text) RETURNS TABLE (part text, since_id text, until_id text) LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT p.part, p.since_id, p.until_id FROM public.partitioned_tables k CROSS JOIN LATERAL public.partitions_of(k.name) p
    WHERE k.name = p_table AND public.time_of_id(p.until_id) + k.kept <= now() ORDER BY p.until_id;
END $$`,
  // Nobody waits for this: the newest event of each type that will be missing is written down first. Each is found by its index, so the
  // time depends on how many types institutions have, not on the rows; up to 200 institutions at a time.
  `CREATE OR REPLACE FUNCTION note_expired_events(p_part text, p_after text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_institutions text[];
BEGIN
  IF p_part NOT IN (SELECT e.part FROM public.expired_partitions('events') e) THEN
    RETURN NULL;
  END IF;
  EXECUTE format(
    'WITH RECURSIVE found AS (
       (SELECT institution_id FROM partitions.%1$I WHERE institution_id > $1 ORDER BY institution_id LIMIT 1)
       UNION ALL
       SELECT (SELECT e.institution_id FROM partitions.%1$I e WHERE e.institution_id > f.institution_id ORDER BY e.institution_id LIMIT 1) FROM found f WHERE f.institution_id IS NOT NULL
     )
     SELECT array_agg(institution_id) FROM (SELECT institution_id FROM found WHERE institution_id IS NOT NULL LIMIT 200) first', p_part) INTO v_institutions USING (p_after);
  EXECUTE format(
    'WITH RECURSIVE found AS (
       SELECT i.id, (SELECT e.type FROM partitions.%1$I e WHERE e.institution_id = i.id ORDER BY e.type USING ~<~ LIMIT 1) AS type FROM unnest($1) AS i (id)
       UNION ALL
       SELECT f.id, (SELECT e.type FROM partitions.%1$I e WHERE e.institution_id = f.id AND e.type ~>~ f.type ORDER BY e.type USING ~<~ LIMIT 1) FROM found f WHERE f.type IS NOT NULL
     )
     INSERT INTO public.pruned_events AS p (institution_id, type, pruned_until)
     SELECT f.id, f.type, (SELECT max(e.created_at) FROM partitions.%1$I e WHERE e.institution_id = f.id AND e.type = f.type) FROM found f WHERE f.type IS NOT NULL ORDER BY f.id, f.type
     ON CONFLICT (institution_id, type) DO UPDATE SET pruned_until = excluded.pruned_until WHERE p.pruned_until < excluded.pruned_until', p_part) USING (v_institutions);
  RETURN v_institutions[cardinality(v_institutions)];
END $$`,
  `CREATE OR REPLACE FUNCTION events_are_needed(p_since_id text, p_until_id text) RETURNS boolean LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM public.event_queue WHERE event_id >= coalesce(p_since_id, '') AND event_id < p_until_id)
      OR EXISTS (SELECT 1 FROM public.webhook_deliveries WHERE status IN ('retrying', 'held') AND event_id >= coalesce(p_since_id, '') AND event_id < p_until_id)
      OR EXISTS (SELECT 1 FROM public.webhook_deliveries WHERE status = 'pending' AND claimed_by IS NULL AND event_id >= coalesce(p_since_id, '') AND event_id < p_until_id)
      OR EXISTS (SELECT 1 FROM public.webhook_deliveries WHERE claimed_by IS NOT NULL AND event_id >= coalesce(p_since_id, '') AND event_id < p_until_id)
$$`,
  // Looks twice: without a lock, and after everybody who was protecting an event, as a replay does, has ended. Readers go on during
  // both; they wait while the partition is dropped.
  `CREATE OR REPLACE FUNCTION drop_partition(p_table text, p_part text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms' AS $$
DECLARE
  v_part record;
BEGIN
  SELECT * INTO v_part FROM public.expired_partitions(p_table) e WHERE e.part = p_part;
  IF v_part IS NULL OR p_table = 'events' AND public.events_are_needed(v_part.since_id, v_part.until_id) THEN
    RETURN false;
  END IF;
  EXECUTE format('LOCK TABLE ONLY partitions.%I IN EXCLUSIVE MODE', p_part);
  IF p_table = 'events' AND public.events_are_needed(v_part.since_id, v_part.until_id) THEN
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
    EXECUTE format('SELECT count(*)::integer FROM (SELECT 1 FROM partitions.%I LIMIT 1000) counted', name || '_default') INTO rows;
    RETURN NEXT;
  END LOOP;
END $$`,
];

const callable = ['make_partition(text)', 'note_expired_events(text, text)', 'drop_partition(text, text)', 'rows_without_partition()'];

/**
 * Events are partitioned by the time in their ids: the primary key stays, an id says in which partition its event is, and what is
 * older than it is kept goes by dropping a partition. The default partition takes what no partition was made for. Times of an
 * institution's events stay unique by its event clock, which gives them under its lock.
 */
export class Partitions1799700000000 implements MigrationInterface {
  readonly name = 'Partitions1799700000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(settings);
    for (const text of partitionFunctions) await runner.query(text);
    for (const signature of callable) await runner.query(`REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`);
    await partitionByTime(runner, events);
  }

  async down(runner: QueryRunner): Promise<void> {
    await joinPartitions(runner, events, [
      'CREATE UNIQUE INDEX events_feed ON events (institution_id, created_at)',
      'CREATE INDEX events_feed_by_type ON events (institution_id, type text_pattern_ops, created_at)',
    ]);
    await runner.query(`
DROP FUNCTION rows_without_partition(), drop_partition(text, text), events_are_needed(text, text), note_expired_events(text, text), expired_partitions(text),
  make_partition(text), partitions_of(text), next_period(text, timestamptz), time_of_id(text), start_of_ids(text, timestamptz);
DROP TABLE partitioned_tables`);
  }
}
