CREATE OR REPLACE FUNCTION public.note_successes(p_successes json)
 RETURNS TABLE(id text, closed boolean)
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- A statement of its own: what was written while it waited for the lock is counted below.
  PERFORM 1 FROM webhook_endpoints e WHERE e.id IN (SELECT x.endpoint_id FROM json_to_recordset(p_successes) AS x (endpoint_id text)) ORDER BY e.id FOR NO KEY UPDATE;
  RETURN QUERY
  WITH before AS (
    SELECT e.id, x.at, e.circuit = 'open' AND x.at >= e.circuit_opened_at AS closes,
           CASE WHEN x.at >= coalesce(e.last_failure_at, '-infinity') THEN 0
                ELSE (SELECT count(*) FROM webhook_attempts a
                       WHERE a.endpoint_id = e.id AND a.started_at > x.at - interval '1 second' AND a.error_class IS NOT NULL
                         AND a.started_at + a.duration_ms * interval '1 millisecond' > x.at) END AS failures_after
      FROM webhook_endpoints e JOIN json_to_recordset(p_successes) AS x (endpoint_id text, at timestamptz) ON x.endpoint_id = e.id
  )
  UPDATE webhook_endpoints e
     SET last_success_at = greatest(e.last_success_at, b.at), consecutive_failures = least(e.consecutive_failures, b.failures_after),
         failing_since = CASE WHEN b.at >= e.failing_since THEN NULL ELSE e.failing_since END,
         circuit = CASE WHEN b.closes THEN 'closed' ELSE e.circuit END,
         circuit_opened_at = CASE WHEN NOT b.closes THEN e.circuit_opened_at END, probe_at = CASE WHEN NOT b.closes THEN e.probe_at END
    FROM before b WHERE e.id = b.id
  RETURNING e.id, b.closes;
END $function$;
