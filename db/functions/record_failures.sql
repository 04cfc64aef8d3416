CREATE OR REPLACE FUNCTION public.record_failures(p_attempts json, p_claimed_by text, p_most_workflows integer, p_failures_to_open integer, p_first_probe interval)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_endpoints text[];
  v_opened text[];
  v_moved json;
  v_owed integer := 0;
  v_soonest timestamptz;
BEGIN
  SELECT array_agg(DISTINCT a ->> 'endpoint_id') INTO v_endpoints FROM json_array_elements(p_attempts) AS a;
  PERFORM 1 FROM institutions WHERE id IN (SELECT institution_id FROM webhook_endpoints WHERE id = ANY (v_endpoints)) ORDER BY id FOR SHARE;
  PERFORM 1 FROM webhook_endpoints WHERE id = ANY (v_endpoints) ORDER BY id FOR NO KEY UPDATE;

  PERFORM 1 FROM open_deliveries WHERE id IN (SELECT a ->> 'delivery_id' FROM json_array_elements(p_attempts) AS a) ORDER BY id FOR KEY SHARE;
  PERFORM 1 FROM webhook_deliveries WHERE id IN (SELECT a ->> 'delivery_id' FROM json_array_elements(p_attempts) AS a) ORDER BY id FOR KEY SHARE;
  INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body)
  SELECT delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body
    FROM json_to_recordset(p_attempts) AS x (delivery_id text, number int, institution_id text, endpoint_id text, cycle int, started_at timestamptz,
      duration_ms int, connect_ms int, response_code int, error_class text, error text, response_body text)
   WHERE EXISTS (SELECT 1 FROM open_deliveries d WHERE d.id = x.delivery_id FOR KEY SHARE)
      OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = x.delivery_id FOR KEY SHARE)
  ON CONFLICT DO NOTHING;

  WITH noted AS (
  UPDATE webhook_endpoints e
     SET last_failure_at = greatest(e.last_failure_at, i.last_end),
         failing_since = coalesce(e.failing_since, i.first_start),
         consecutive_failures = i.in_a_row,
         circuit = CASE WHEN i.opens THEN 'open' ELSE e.circuit END,
         circuit_opened_at = CASE WHEN i.opens THEN i.last_end ELSE e.circuit_opened_at END,
         probe_at = CASE WHEN i.opens THEN greatest(i.last_end + p_first_probe, i.asked_until) ELSE e.probe_at END
    FROM (
      SELECT g.*, o.circuit = 'closed' AND o.status = 'active' AND g.since_success + CASE WHEN g.success_between THEN 0 ELSE o.consecutive_failures END >= p_failures_to_open AS opens,
             g.since_success + CASE WHEN g.success_between THEN 0 ELSE o.consecutive_failures END AS in_a_row
        FROM (
          SELECT x.endpoint_id, max(x.ended_at) AS last_end, min(x.started_at) FILTER (WHERE x.since_success) AS first_start, max(x.asked_until) AS asked_until,
                 count(*) FILTER (WHERE x.since_success) AS since_success, bool_or(x.success_between) AS success_between
            FROM json_to_recordset(p_attempts) AS x (endpoint_id text, started_at timestamptz, ended_at timestamptz, asked_until timestamptz,
              since_success boolean, success_between boolean)
           GROUP BY x.endpoint_id) g
        JOIN webhook_endpoints o ON o.id = g.endpoint_id) i
   WHERE e.id = i.endpoint_id
  RETURNING e.id, i.opens
  )
  SELECT array_agg(id) INTO v_opened FROM noted WHERE opens;

  WITH input AS (
    SELECT * FROM json_to_recordset(p_attempts) AS x (delivery_id text, endpoint_id text, cycle int, number int, ended_at timestamptz, status text,
      response_code int, error_class text, next_attempt_at timestamptz, schedule_step int, owed json)
  ), endpoints AS (
    SELECT e.id, e.institution_id, e.status = 'active' AND e.circuit = 'closed' AND i.status = 'approved' AS takes, e.backlog_open,
           (SELECT count(*) FROM open_deliveries w WHERE w.endpoint_id = e.id AND w.status = 'retrying' AND w.retried_by = 'workflow') AS workflows
      FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
     WHERE e.id = ANY (v_endpoints)
  ), own AS (
    SELECT i.*, d.retried_by, e.institution_id, e.takes, e.backlog_open, e.workflows,
           count(*) FILTER (WHERE i.status = 'retrying' AND d.retried_by IS NULL) OVER (PARTITION BY i.endpoint_id ORDER BY i.next_attempt_at, i.delivery_id) AS nth
      FROM input i JOIN endpoints e ON e.id = i.endpoint_id
      JOIN open_deliveries d
        ON d.id = ANY (ARRAY(SELECT delivery_id FROM input)) AND d.id = i.delivery_id AND d.claimed_by = p_claimed_by AND d.cycle = i.cycle AND d.attempts = i.number - 1 AND d.status IN ('pending', 'retrying', 'held')
  ), judged AS (
    SELECT own.*, CASE WHEN status = 'retrying' AND NOT takes THEN 'held' ELSE status END AS becomes,
           CASE WHEN status = 'dead' THEN retried_by
                WHEN NOT takes THEN 'backlog'
                WHEN retried_by IS NULL AND NOT backlog_open AND workflows + nth <= p_most_workflows THEN 'workflow'
                ELSE coalesce(retried_by, 'backlog') END AS waits_with
      FROM own
  ), gone AS (
    DELETE FROM open_deliveries d USING judged j
     WHERE j.becomes = 'dead' AND d.id = ANY (ARRAY(SELECT delivery_id FROM input)) AND d.id = j.delivery_id AND d.claimed_by = p_claimed_by AND d.cycle = j.cycle AND d.attempts = j.number - 1 AND d.status IN ('pending', 'retrying', 'held')
    RETURNING d.id, d.institution_id, d.endpoint_id, d.event_id, d.event_type, d.event_created_at, 'dead' AS status, d.cycle, j.number AS attempts, j.schedule_step, j.response_code,
              d.first_attempt_at, d.deadline_at, d.created_at, j.waits_with AS retried_by, j.error_class
  ), ended AS (
    INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, cycle, attempts, schedule_step, response_code,
           first_attempt_at, deadline_at, created_at, retried_by, error_class)
    SELECT * FROM gone ORDER BY id
    ON CONFLICT DO NOTHING
  ), moved AS (
    UPDATE open_deliveries d
       SET status = j.becomes, attempts = j.number, schedule_step = j.schedule_step, response_code = j.response_code, error_class = j.error_class, retried_by = j.waits_with,
           next_attempt_at = CASE WHEN j.becomes = 'retrying' THEN j.next_attempt_at END,
           held_at = CASE WHEN j.becomes = 'held' THEN coalesce(d.held_at, j.ended_at) END,
           claimed_by = NULL, claimed_until = NULL
      FROM judged j
     WHERE j.becomes <> 'dead'
       AND d.id = ANY (ARRAY(SELECT delivery_id FROM input)) AND d.id = j.delivery_id AND d.claimed_by = p_claimed_by AND d.cycle = j.cycle AND d.attempts = j.number - 1 AND d.status IN ('pending', 'retrying', 'held')
    RETURNING d.endpoint_id, d.status, d.retried_by, d.next_attempt_at, j.institution_id, j.retried_by AS waited_with, j.owed
  )
  SELECT json_agg(moved) INTO v_moved FROM moved;

  WITH owed AS (
    INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument)
    SELECT institution_id, owed ->> 'kind', owed ->> 'name', owed ->> 'workflowId', (owed -> 'argument')::jsonb
      FROM json_to_recordset(v_moved) AS m (institution_id text, status text, retried_by text, waited_with text, owed json)
     WHERE status = 'retrying' AND retried_by = 'workflow' AND waited_with IS NULL
    RETURNING 1
  )
  SELECT count(*) INTO v_owed FROM owed;

  SELECT array_agg(DISTINCT m.endpoint_id), min(coalesce(m.next_attempt_at, e.probe_at)) INTO v_endpoints, v_soonest
    FROM json_to_recordset(v_moved) AS m (endpoint_id text, status text, retried_by text, next_attempt_at timestamptz)
    JOIN webhook_endpoints e ON e.id = m.endpoint_id
   WHERE m.status IN ('retrying', 'held') AND m.retried_by = 'backlog';
  IF v_endpoints IS NOT NULL THEN
    v_owed := v_owed + open_backlogs(v_endpoints) + wake_backlogs(v_endpoints, v_soonest);
  END IF;
  IF v_opened IS NOT NULL THEN
    v_owed := v_owed + wake_backlogs(v_opened, clock_timestamp());
  END IF;
  RETURN v_owed;
END $function$;
