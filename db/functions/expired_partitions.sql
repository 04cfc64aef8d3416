CREATE OR REPLACE FUNCTION public.expired_partitions(p_table text)
 RETURNS TABLE(part text, since_id text, until_id text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT p.part, p.since_id, p.until_id FROM public.partitioned_tables k CROSS JOIN LATERAL public.partitions_of(k.name) p
    WHERE k.name = p_table AND public.time_of_id(p.until_id) + k.kept <= now() ORDER BY p.until_id;
END $function$;
