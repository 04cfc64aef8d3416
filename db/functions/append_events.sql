CREATE OR REPLACE FUNCTION public.append_events(p_institution_id text, p_events json)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  event_count bigint := json_array_length(p_events);
  last_stamp bigint := stamp_events(p_institution_id, event_count);
BEGIN
  WITH stamped AS (
    SELECT e.value ->> 'id' AS id, e.value ->> 'type' AS type, e.value ->> 'data' AS data, e.value ->> 'trace' AS trace_context,
           'epoch'::timestamptz + (last_stamp - event_count + e.position) * interval '1 millisecond' AS created_at
      FROM json_array_elements(p_events) WITH ORDINALITY AS e (value, position)
  ), appended AS (
    INSERT INTO events (id, institution_id, type, created_at, body, trace_context)
    SELECT id, p_institution_id, type, created_at,
           '{"id":"' || id || '","type":"' || type || '","created_at":"'
           || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           || '","institution_id":"' || p_institution_id || '","data":' || data || '}', trace_context
      FROM stamped
    RETURNING id, type, created_at
  )
  INSERT INTO event_queue (event_id, institution_id, type, created_at)
  SELECT id, p_institution_id, type, created_at FROM appended ORDER BY created_at;
END $function$;
