CREATE OR REPLACE FUNCTION public.count_attempts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
DECLARE
  r record;
BEGIN
  FOR r IN
    SELECT endpoint_id, date_trunc('hour', started_at, 'UTC') AS hour, min(institution_id) AS institution_id, count(*) AS attempts, count(error_class) AS failures,
           count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms <= 50) AS latency_50,
           count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 50 AND duration_ms <= 100) AS latency_100,
           count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 100 AND duration_ms <= 250) AS latency_250,
           count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 250 AND duration_ms <= 500) AS latency_500,
           count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 500 AND duration_ms <= 1000) AS latency_1000,
           count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 1000 AND duration_ms <= 2500) AS latency_2500,
           count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 2500 AND duration_ms <= 5000) AS latency_5000,
           count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 5000) AS latency_slower
      FROM recorded GROUP BY endpoint_id, hour ORDER BY endpoint_id, hour
  LOOP
    LOOP
      UPDATE endpoint_statistics s
         SET attempts = s.attempts + r.attempts, failures = s.failures + r.failures, latency_50 = s.latency_50 + r.latency_50, latency_100 = s.latency_100 + r.latency_100, latency_250 = s.latency_250 + r.latency_250, latency_500 = s.latency_500 + r.latency_500, latency_1000 = s.latency_1000 + r.latency_1000, latency_2500 = s.latency_2500 + r.latency_2500, latency_5000 = s.latency_5000 + r.latency_5000, latency_slower = s.latency_slower + r.latency_slower,
             uses = (s.uses + 1) % 128, generation = s.generation + (s.uses + 1) / 128
       WHERE (s.endpoint_id, s.hour, s.generation) <= (r.endpoint_id, r.hour, 2147483647)
         AND (s.endpoint_id, s.hour, s.generation) >= (r.endpoint_id, r.hour,
           (SELECT n.generation FROM endpoint_statistics n WHERE n.endpoint_id = r.endpoint_id AND n.hour = r.hour ORDER BY n.generation DESC LIMIT 1));
      EXIT WHEN FOUND;
      INSERT INTO endpoint_statistics (endpoint_id, hour, institution_id, attempts, failures, latency_50, latency_100, latency_250, latency_500, latency_1000, latency_2500, latency_5000, latency_slower)
      VALUES (r.endpoint_id, r.hour, r.institution_id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $function$;
