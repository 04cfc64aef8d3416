CREATE OR REPLACE FUNCTION public.partition_is_needed(p_table text, p_since_id text, p_until_id text)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT CASE p_table
    WHEN 'events' THEN public.events_are_needed(p_since_id, p_until_id)
    WHEN 'webhook_attempts' THEN EXISTS (SELECT 1 FROM public.deliveries WHERE id >= coalesce(p_since_id, '') AND id < p_until_id)
    WHEN 'audit_log' THEN EXISTS (
      SELECT 1 FROM public.audit_log
       WHERE id >= coalesce(p_since_id, '') AND id < p_until_id AND at >= now() - (SELECT kept FROM public.partitioned_tables WHERE name = 'audit_log'))
    ELSE false END
$function$;
