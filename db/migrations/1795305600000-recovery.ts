import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Circuits and backlogs of webhook endpoints, who waits for a delivery's next attempt, and attempts by endpoint. */
export class Recovery1795305600000 implements MigrationInterface {
  readonly name = 'Recovery1795305600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = 0;
ALTER TABLE webhook_endpoints
  ADD COLUMN circuit text NOT NULL DEFAULT 'closed' CHECK (circuit IN ('closed', 'open')),
  ADD COLUMN circuit_opened_at timestamptz,
  ADD COLUMN probe_at timestamptz,
  ADD COLUMN failing_since timestamptz,
  ADD COLUMN backlog_run integer NOT NULL DEFAULT 0,
  ADD COLUMN backlog_open boolean NOT NULL DEFAULT false,
  ADD COLUMN backlog_opened_at timestamptz,
  ADD COLUMN backlog_look_at timestamptz,
  ADD COLUMN resting_since timestamptz,
  ADD COLUMN replay_asked_at timestamptz,
  ADD CHECK ((circuit = 'open') = (circuit_opened_at IS NOT NULL)),
  ADD CHECK ((circuit = 'open') = (probe_at IS NOT NULL));
UPDATE webhook_endpoints e SET resting_since = least(e.paused_at, i.suspended_at)
  FROM institutions i WHERE i.id = e.institution_id AND e.status <> 'disabled' AND e.deleted_at IS NULL;

ALTER TABLE webhook_deliveries
  ADD COLUMN retried_by text CHECK (retried_by IN ('workflow', 'backlog')),
  ADD COLUMN held_at timestamptz;
UPDATE webhook_deliveries
   SET retried_by = CASE WHEN status = 'retrying' THEN 'workflow' WHEN first_attempt_at IS NOT NULL THEN 'backlog' END,
       held_at = CASE WHEN status = 'held' THEN now() END,
       deadline_at = coalesce(deadline_at, created_at + interval '12 hours')
 WHERE status IN ('pending', 'retrying', 'held');
CREATE INDEX webhook_deliveries_retried ON webhook_deliveries (endpoint_id, retried_by, next_attempt_at) WHERE status = 'retrying';

ALTER TABLE webhook_attempts ADD COLUMN endpoint_id text;
UPDATE webhook_attempts a SET endpoint_id = d.endpoint_id FROM webhook_deliveries d WHERE d.id = a.delivery_id;
ALTER TABLE webhook_attempts ALTER COLUMN endpoint_id SET NOT NULL;
CREATE INDEX webhook_attempts_endpoint ON webhook_attempts (endpoint_id, started_at);
`);
    await runner.query(`
CREATE FUNCTION open_backlogs(p_endpoint_ids text[]) RETURNS integer LANGUAGE sql AS $$
  WITH locked AS (
    SELECT id FROM webhook_endpoints WHERE id = ANY (p_endpoint_ids) AND NOT backlog_open ORDER BY id FOR NO KEY UPDATE
  ), opened AS (
    UPDATE webhook_endpoints e SET backlog_open = true, backlog_run = e.backlog_run + 1, backlog_opened_at = clock_timestamp(), backlog_look_at = NULL
      FROM locked WHERE e.id = locked.id AND NOT e.backlog_open
    RETURNING e.id, e.institution_id, e.backlog_run
  ), owed AS (
    INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument)
    SELECT institution_id, 'start', 'endpointBacklog', id || ':' || backlog_run,
           jsonb_build_object('endpointId', id, 'institutionId', institution_id, 'run', backlog_run)
      FROM opened
    RETURNING 1
  )
  SELECT count(*)::int FROM owed
$$;

CREATE FUNCTION wake_backlogs(p_endpoint_ids text[], p_look_at timestamptz) RETURNS integer LANGUAGE sql AS $$
  WITH woken AS (
    UPDATE webhook_endpoints e SET backlog_look_at = p_look_at
     WHERE id = ANY (p_endpoint_ids) AND backlog_open AND backlog_look_at > p_look_at + interval '1 second'
    RETURNING id, institution_id, backlog_run
  ), owed AS (
    INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument)
    SELECT institution_id, 'signal', 'look', id || ':' || backlog_run, '{}' FROM woken
    RETURNING 1
  )
  SELECT count(*)::int FROM owed
$$;

CREATE FUNCTION record_failures(
  p_attempts json, p_claimed_by text, p_most_workflows integer, p_failures_to_open integer, p_first_probe interval
) RETURNS integer LANGUAGE plpgsql AS $$
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

  INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body)
  SELECT delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body
    FROM json_to_recordset(p_attempts) AS x (delivery_id text, number int, institution_id text, endpoint_id text, cycle int, started_at timestamptz,
      duration_ms int, connect_ms int, response_code int, error_class text, error text, response_body text)
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
      response_code int, next_attempt_at timestamptz, schedule_step int, owed json)
  ), endpoints AS (
    SELECT e.id, e.institution_id, e.status = 'active' AND e.circuit = 'closed' AND i.status = 'approved' AS takes, e.backlog_open,
           (SELECT count(*) FROM webhook_deliveries w WHERE w.endpoint_id = e.id AND w.status = 'retrying' AND w.retried_by = 'workflow') AS workflows
      FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
     WHERE e.id = ANY (v_endpoints)
  ), own AS (
    SELECT i.*, d.retried_by, e.institution_id, e.takes, e.backlog_open, e.workflows,
           count(*) FILTER (WHERE i.status = 'retrying' AND d.retried_by IS NULL) OVER (PARTITION BY i.endpoint_id ORDER BY i.next_attempt_at, i.delivery_id) AS nth
      FROM input i JOIN endpoints e ON e.id = i.endpoint_id
      JOIN webhook_deliveries d
        ON d.id = ANY (ARRAY(SELECT delivery_id FROM input)) AND d.id = i.delivery_id AND d.claimed_by = p_claimed_by AND d.cycle = i.cycle AND d.attempts = i.number - 1 AND d.status IN ('pending', 'retrying', 'held')
  ), judged AS (
    SELECT own.*, CASE WHEN status = 'retrying' AND NOT takes THEN 'held' ELSE status END AS becomes,
           CASE WHEN status = 'dead' THEN retried_by
                WHEN NOT takes THEN 'backlog'
                WHEN retried_by IS NULL AND NOT backlog_open AND workflows + nth <= p_most_workflows THEN 'workflow'
                ELSE coalesce(retried_by, 'backlog') END AS waits_with
      FROM own
  ), moved AS (
    UPDATE webhook_deliveries d
       SET status = j.becomes, attempts = j.number, schedule_step = j.schedule_step, response_code = j.response_code, retried_by = j.waits_with,
           next_attempt_at = CASE WHEN j.becomes = 'retrying' THEN j.next_attempt_at END,
           held_at = CASE WHEN j.becomes = 'held' THEN coalesce(d.held_at, j.ended_at) END,
           claimed_by = NULL, claimed_until = NULL
      FROM judged j
     WHERE d.id = ANY (ARRAY(SELECT delivery_id FROM input)) AND d.id = j.delivery_id AND d.claimed_by = p_claimed_by AND d.cycle = j.cycle AND d.attempts = j.number - 1 AND d.status IN ('pending', 'retrying', 'held')
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
END $$;

CREATE FUNCTION note_successes(p_successes json) RETURNS TABLE (id text, closed boolean) LANGUAGE plpgsql AS $$
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
END $$;

CREATE FUNCTION plan_backlog(p_endpoint_id text, p_run integer, p_now timestamptz, p_longest interval)
RETURNS TABLE (is_waiting boolean, look_at timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  v_endpoint webhook_endpoints;
  v_holds boolean;
  v_next timestamptz;
BEGIN
  SELECT * INTO v_endpoint FROM webhook_endpoints WHERE id = p_endpoint_id FOR NO KEY UPDATE;
  IF NOT FOUND OR NOT v_endpoint.backlog_open OR v_endpoint.backlog_run <> p_run THEN
    RETURN;
  END IF;
  v_holds := EXISTS (SELECT 1 FROM webhook_deliveries WHERE endpoint_id = p_endpoint_id AND status = 'held');
  SELECT min(next_attempt_at) INTO v_next FROM webhook_deliveries WHERE endpoint_id = p_endpoint_id AND status = 'retrying' AND retried_by = 'backlog';
  is_waiting := v_holds OR v_next IS NOT NULL;
  look_at := CASE WHEN v_endpoint.resting_since IS NOT NULL OR v_endpoint.status = 'paused' THEN p_now + p_longest
                  WHEN v_endpoint.circuit = 'open' THEN v_endpoint.probe_at
                  WHEN v_holds THEN p_now
                  ELSE least(v_next, p_now + p_longest) END;
  UPDATE webhook_endpoints SET backlog_open = is_waiting, backlog_look_at = plan_backlog.look_at WHERE id = p_endpoint_id;
  RETURN NEXT;
END $$;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP FUNCTION plan_backlog(text, integer, timestamptz, interval);
DROP FUNCTION record_failures(json, text, integer, integer, interval);
DROP FUNCTION note_successes(json);
DROP FUNCTION wake_backlogs(text[], timestamptz);
DROP FUNCTION open_backlogs(text[]);
DROP INDEX webhook_attempts_endpoint;
ALTER TABLE webhook_attempts DROP COLUMN endpoint_id;
DROP INDEX webhook_deliveries_retried;
ALTER TABLE webhook_deliveries DROP COLUMN retried_by, DROP COLUMN held_at;
ALTER TABLE webhook_endpoints DROP COLUMN circuit, DROP COLUMN circuit_opened_at, DROP COLUMN probe_at, DROP COLUMN failing_since,
  DROP COLUMN backlog_run, DROP COLUMN backlog_open, DROP COLUMN backlog_opened_at, DROP COLUMN backlog_look_at,
  DROP COLUMN resting_since, DROP COLUMN replay_asked_at;
`);
  }
}
