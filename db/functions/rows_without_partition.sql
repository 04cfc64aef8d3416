CREATE OR REPLACE FUNCTION public.rows_without_partition()
 RETURNS TABLE(name text, rows integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  FOR name IN SELECT k.name FROM public.partitioned_tables k ORDER BY k.name LOOP
    IF to_regclass('partitions.' || quote_ident(name || '_default')) IS NOT NULL THEN
      EXECUTE format('SELECT count(*)::integer FROM (SELECT 1 FROM partitions.%I LIMIT 1000) counted', name || '_default') INTO rows;
      RETURN NEXT;
    END IF;
  END LOOP;
END $function$;
