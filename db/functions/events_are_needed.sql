CREATE OR REPLACE FUNCTION public.events_are_needed(p_since_id text, p_until_id text)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT 1 FROM public.event_queue WHERE event_id >= coalesce(p_since_id, '') AND event_id < p_until_id)
      OR EXISTS (SELECT 1 FROM public.open_deliveries WHERE status IN ('pending', 'retrying', 'held') AND event_id >= coalesce(p_since_id, '') AND event_id < p_until_id)
$function$;
