CREATE OR REPLACE FUNCTION public.is_partitioned_by_time(p_table text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT a.atttypid = 'timestamptz'::regtype FROM pg_partitioned_table k JOIN pg_attribute a ON a.attrelid = k.partrelid AND a.attnum = k.partattrs[0]
   WHERE k.partrelid = to_regclass('public.' || quote_ident(p_table))
$function$;
