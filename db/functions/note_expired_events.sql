CREATE OR REPLACE FUNCTION public.note_expired_events(p_part text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF p_part NOT IN (SELECT e.part FROM public.expired_partitions('events') e) THEN
    RETURN;
  END IF;
  EXECUTE format(
    'INSERT INTO public.pruned_events AS p (institution_id, type, pruned_until)
     SELECT institution_id, type, max(created_at) FROM partitions.%I GROUP BY institution_id, type ORDER BY institution_id, type
     ON CONFLICT (institution_id, type) DO UPDATE SET pruned_until = excluded.pruned_until WHERE p.pruned_until < excluded.pruned_until', p_part);
END $function$;
