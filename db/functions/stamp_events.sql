CREATE OR REPLACE FUNCTION public.stamp_events(p_institution_id text, p_count bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
DECLARE
  v_last bigint;
BEGIN
  UPDATE event_clocks
     SET last_ms = greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + offset_ms, last_ms + 1) + p_count - 1,
         uses = (uses + 1) % 128, generation = generation + (uses + 1) / 128
   WHERE institution_id = p_institution_id
     AND generation >= (SELECT c.generation FROM event_clocks c WHERE c.institution_id = p_institution_id ORDER BY c.generation DESC LIMIT 1)
  RETURNING last_ms INTO v_last;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'institution % has no event clock', p_institution_id;
  END IF;
  RETURN v_last;
END $function$;
