CREATE OR REPLACE FUNCTION public.plan_backlog(p_endpoint_id text, p_run integer, p_now timestamp with time zone, p_longest interval)
 RETURNS TABLE(is_waiting boolean, look_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_endpoint webhook_endpoints;
  v_holds boolean;
  v_next timestamptz;
BEGIN
  SELECT * INTO v_endpoint FROM webhook_endpoints WHERE id = p_endpoint_id FOR NO KEY UPDATE;
  IF NOT FOUND OR NOT v_endpoint.backlog_open OR v_endpoint.backlog_run <> p_run THEN
    RETURN;
  END IF;
  v_holds := EXISTS (SELECT 1 FROM open_deliveries WHERE endpoint_id = p_endpoint_id AND status = 'held');
  SELECT min(next_attempt_at) INTO v_next FROM open_deliveries WHERE endpoint_id = p_endpoint_id AND status = 'retrying' AND retried_by = 'backlog';
  is_waiting := v_holds OR v_next IS NOT NULL;
  look_at := CASE WHEN v_endpoint.resting_since IS NOT NULL OR v_endpoint.status = 'paused' THEN p_now + p_longest
                  WHEN v_endpoint.circuit = 'open' THEN v_endpoint.probe_at
                  WHEN v_holds THEN p_now
                  ELSE least(v_next, p_now + p_longest) END;
  UPDATE webhook_endpoints SET backlog_open = is_waiting, backlog_look_at = plan_backlog.look_at WHERE id = p_endpoint_id;
  RETURN NEXT;
END $function$;
