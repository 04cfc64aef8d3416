CREATE OR REPLACE FUNCTION public.take_delivery_slots(p_endpoint_ids text[], p_wanted integer[])
 RETURNS TABLE(endpoint_id text, granted integer, wait_ms double precision)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v record;
  v_burst integer;
  v_interval interval;
  v_next timestamptz;
  v_now timestamptz;
BEGIN
  -- A crash of Postgres loses at most what was taken in the moment before it.
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR v IN
    SELECT e.id, e.institution_id, e.rate_limit, w.wanted FROM unnest(p_endpoint_ids, p_wanted) AS w (endpoint_id, wanted)
      JOIN webhook_endpoints e ON e.id = w.endpoint_id WHERE e.rate_limit IS NOT NULL ORDER BY e.id
  LOOP
    INSERT INTO webhook_rate_limits AS l (endpoint_id, institution_id, next_at) VALUES (v.id, v.institution_id, '-infinity') ON CONFLICT DO NOTHING;
    SELECT l.next_at INTO v_next FROM webhook_rate_limits l WHERE l.endpoint_id = v.id FOR NO KEY UPDATE;
    -- The slots of any second begin in that second or in the burst before it: together at most the limit.
    v_burst := v.rate_limit / 20 + 1;
    v_interval := interval '1 second' / (v.rate_limit - v_burst + 1);
    v_now := clock_timestamp();
    v_next := greatest(v_next, v_now - (v_burst - 1) * v_interval);
    endpoint_id := v.id;
    granted := CASE WHEN v_next > v_now THEN 0 ELSE least(v.wanted, 1 + floor(extract(epoch FROM v_now - v_next) / extract(epoch FROM v_interval))::integer) END;
    v_next := v_next + granted * v_interval;
    IF granted > 0 THEN
      UPDATE webhook_rate_limits l SET next_at = v_next WHERE l.endpoint_id = v.id;
    END IF;
    -- Up to half a burst later, so that a high limit does not take slots one by one.
    wait_ms := greatest(0, extract(epoch FROM v_next - v_now + ((v_burst - 1) / 2) * v_interval) * 1000);
    RETURN NEXT;
  END LOOP;
END $function$;
