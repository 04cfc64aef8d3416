CREATE OR REPLACE FUNCTION public.count_attempts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO endpoint_statistics AS s (endpoint_id, hour, institution_id, attempts, failures, latency_50, latency_100, latency_250, latency_500, latency_1000, latency_2500, latency_5000, latency_slower)
  SELECT endpoint_id, date_trunc('hour', started_at, 'UTC') AS hour, min(institution_id), count(*), count(error_class),
         count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms <= 50),
         count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 50 AND duration_ms <= 100),
         count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 100 AND duration_ms <= 250),
         count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 250 AND duration_ms <= 500),
         count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 500 AND duration_ms <= 1000),
         count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 1000 AND duration_ms <= 2500),
         count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 2500 AND duration_ms <= 5000),
         count(*) FILTER (WHERE response_code IS NOT NULL AND duration_ms > 5000)
    FROM recorded GROUP BY endpoint_id, hour ORDER BY endpoint_id, hour
  ON CONFLICT (endpoint_id, hour) DO UPDATE
     SET attempts = s.attempts + EXCLUDED.attempts, failures = s.failures + EXCLUDED.failures,
         latency_50 = s.latency_50 + EXCLUDED.latency_50,
         latency_100 = s.latency_100 + EXCLUDED.latency_100,
         latency_250 = s.latency_250 + EXCLUDED.latency_250,
         latency_500 = s.latency_500 + EXCLUDED.latency_500,
         latency_1000 = s.latency_1000 + EXCLUDED.latency_1000,
         latency_2500 = s.latency_2500 + EXCLUDED.latency_2500,
         latency_5000 = s.latency_5000 + EXCLUDED.latency_5000,
         latency_slower = s.latency_slower + EXCLUDED.latency_slower;
  RETURN NULL;
END $function$;
