CREATE OR REPLACE FUNCTION public.forget_audited(p_limit integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH forgotten AS (
    DELETE FROM public.audit_log
     WHERE id IN (SELECT id FROM public.audit_log WHERE at < date_trunc('month', (now() - interval '400 days') AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' LIMIT p_limit)
    RETURNING 1
  )
  SELECT count(*)::integer FROM forgotten
$function$;
