CREATE OR REPLACE FUNCTION public.make_partition(p_table text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '50ms'
AS $function$
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
    v_name := p_table || '_' || to_char(v_since AT TIME ZONE 'UTC', CASE v_kind.period WHEN 'hour' THEN 'YYYY_MM_DD_HH24' WHEN 'month' THEN 'YYYY_MM' ELSE 'YYYY_MM_DD' END);
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
END $function$;
