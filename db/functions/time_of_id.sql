CREATE OR REPLACE FUNCTION public.time_of_id(p_id text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT 'epoch'::timestamptz + sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(split_part(p_id, '_', 2), nth, 1)) - 1)::bigint << (5 * (10 - nth)))::float8 * interval '1 millisecond'
    FROM generate_series(1, 10) AS nth
$function$;
