CREATE OR REPLACE FUNCTION public.partitions_of(p_table text)
 RETURNS TABLE(part text, since_id text, until_id text)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT c.relname::text, CASE WHEN b.by_time THEN public.start_of_ids(k.prefix, b.since::timestamptz) ELSE b.since END,
         CASE WHEN b.by_time THEN public.start_of_ids(k.prefix, b.until::timestamptz) ELSE b.until END
    FROM public.partitioned_tables k JOIN pg_inherits i ON i.inhparent = to_regclass('public.' || quote_ident(k.name)) JOIN pg_class c ON c.oid = i.inhrelid
   CROSS JOIN LATERAL (
     SELECT public.is_partitioned_by_time(p_table) AS by_time, d.bound AS definition, substring(d.bound FROM 'FROM \(''([^'']*)''\)') AS since, substring(d.bound FROM 'TO \(''([^'']*)''\)') AS until
       FROM pg_get_expr(c.relpartbound, c.oid) AS d (bound)) b
   WHERE k.name = p_table AND b.definition <> 'DEFAULT'
$function$;
