CREATE OR REPLACE FUNCTION public.last_event_ms(p_institution_id text)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
BEGIN
  RETURN (SELECT last_ms FROM event_clocks WHERE institution_id = p_institution_id ORDER BY generation DESC LIMIT 1);
END $function$;
