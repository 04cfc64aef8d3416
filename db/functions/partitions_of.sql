CREATE OR REPLACE FUNCTION public.partitions_of(p_table text)
 RETURNS TABLE(part text, since_id text, until_id text)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT c.relname::text, substring(b.bound FROM 'FROM \(''([^'']*)''\)'), substring(b.bound FROM 'TO \(''([^'']*)''\)')
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid CROSS JOIN LATERAL pg_get_expr(c.relpartbound, c.oid) AS b (bound)
   WHERE i.inhparent = to_regclass('public.' || quote_ident(p_table)) AND b.bound <> 'DEFAULT'
$function$;
