CREATE OR REPLACE FUNCTION public.start_of_ids(p_prefix text, p_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT p_prefix || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((at.ms >> (5 * digit)) & 31)::integer + 1, 1), '' ORDER BY digit DESC)
    FROM (SELECT floor(extract(epoch FROM p_at) * 1000)::bigint AS ms) at, generate_series(0, 9) AS digit
$function$;
