CREATE OR REPLACE FUNCTION public.analyze_partitioned(p_table text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF p_table IN (SELECT name FROM public.partitioned_tables) THEN
    EXECUTE format('ANALYZE (SKIP_LOCKED) %s public.%I', CASE WHEN current_setting('server_version_num')::integer >= 180000 THEN 'ONLY' END, p_table);
  END IF;
END $function$;
