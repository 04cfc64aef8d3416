CREATE OR REPLACE FUNCTION public.keep_disclosure_partitions()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
END $function$;
