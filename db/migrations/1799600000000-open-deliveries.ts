import type { MigrationInterface, QueryRunner } from 'typeorm';
import { hasConstraint } from './constraints';

const begin = `
CREATE OR REPLACE FUNCTION record_failures(p_attempts json, p_claimed_by text, p_most_workflows integer, p_failures_to_open integer, p_first_probe interval)
 RETURNS integer
 LANGUAGE plpgsql
AS $$
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

`;

const insertAttempts = `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body)
  SELECT delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body
    FROM json_to_recordset(p_attempts) AS x (delivery_id text, number int, institution_id text, endpoint_id text, cycle int, started_at timestamptz,
      duration_ms int, connect_ms int, response_code int, error_class text, error text, response_body text)`;

/** All attempts: a foreign key refuses those without a delivery. */
const allAttempts = `  ${insertAttempts}
  ON CONFLICT DO NOTHING;
`;

/** Those whose delivery still exists, under its lock, so that an erasure deletes both or none. */
const attemptsOfDeliveries = `  PERFORM 1 FROM webhook_deliveries WHERE id IN (SELECT a ->> 'delivery_id' FROM json_array_elements(p_attempts) AS a) ORDER BY id FOR KEY SHARE;
  ${insertAttempts}
   WHERE EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = x.delivery_id FOR KEY SHARE)
  ON CONFLICT DO NOTHING;
`;

const judge = `
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
  ), `;

const writeInPlace = `moved AS (
    UPDATE webhook_deliveries d
       SET status = j.becomes, attempts = j.number, schedule_step = j.schedule_step, response_code = j.response_code, error_class = j.error_class, retried_by = j.waits_with,
           next_attempt_at = CASE WHEN j.becomes = 'retrying' THEN j.next_attempt_at END,
           held_at = CASE WHEN j.becomes = 'held' THEN coalesce(d.held_at, j.ended_at) END,
           claimed_by = NULL, claimed_until = NULL
      FROM judged j
     WHERE d.id = ANY (ARRAY(SELECT delivery_id FROM input)) AND d.id = j.delivery_id AND d.claimed_by = p_claimed_by AND d.cycle = j.cycle AND d.attempts = j.number - 1 AND d.status IN ('pending', 'retrying', 'held')
    RETURNING d.endpoint_id, d.status, d.retried_by, d.next_attempt_at, j.institution_id, j.retried_by AS waited_with, j.owed
  )`;

/** Dead deliveries move to the history. What the release before has inserted lies there before it ends, and stays. */
const writeAndMove = `gone AS (
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
    UPDATE webhook_deliveries d
       SET status = j.becomes, attempts = j.number, schedule_step = j.schedule_step, response_code = j.response_code, error_class = j.error_class, retried_by = j.waits_with,
           next_attempt_at = CASE WHEN j.becomes = 'retrying' THEN j.next_attempt_at END,
           held_at = CASE WHEN j.becomes = 'held' THEN coalesce(d.held_at, j.ended_at) END,
           claimed_by = NULL, claimed_until = NULL
      FROM judged j
     WHERE (j.becomes <> 'dead' OR d.tableoid = 'webhook_deliveries'::regclass)
       AND d.id = ANY (ARRAY(SELECT delivery_id FROM input)) AND d.id = j.delivery_id AND d.claimed_by = p_claimed_by AND d.cycle = j.cycle AND d.attempts = j.number - 1 AND d.status IN ('pending', 'retrying', 'held')
    RETURNING d.endpoint_id, d.status, d.retried_by, d.next_attempt_at, j.institution_id, j.retried_by AS waited_with, j.owed
  )`;

const end = `
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
END $$`;

const recordFailuresInPlace = `${begin}${allAttempts}${judge}${writeInPlace}${end}`;

const recordFailures = `${begin}${attemptsOfDeliveries}${judge}${writeAndMove}${end}`;

/*
 * No index on a column that a claim changes, nor on one of retries but those by which they are found: a claim is a heap-only
 * update, for which most of each page is left free. Vacuum comes often, and does not cut off pages, for which it would lock the table.
 *
 * The table may be empty when Postgres counts its rows, and long a minute later. So no index is there by which a plan for a few rows
 * could look for an id or an endpoint but the right one: none but the key has the id, and none the endpoint that does not begin with it.
 */
const openDeliveries = `
CREATE TABLE IF NOT EXISTS open_deliveries (
  CONSTRAINT open_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT open_deliveries_institution_id_fkey FOREIGN KEY (institution_id) REFERENCES institutions (id)
) INHERITS (webhook_deliveries)
  WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);
CREATE INDEX IF NOT EXISTS open_deliveries_event ON open_deliveries (event_id);
CREATE INDEX IF NOT EXISTS open_deliveries_pending ON open_deliveries (endpoint_id, event_created_at) WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS open_deliveries_waiting ON open_deliveries (endpoint_id, status, event_created_at) WHERE status IN ('retrying', 'held');
CREATE INDEX IF NOT EXISTS open_deliveries_retried ON open_deliveries (endpoint_id, retried_by, next_attempt_at) WHERE status = 'retrying';
CREATE INDEX IF NOT EXISTS open_deliveries_listing ON open_deliveries (institution_id, created_at);
CREATE INDEX IF NOT EXISTS open_deliveries_error_class ON open_deliveries (institution_id, error_class, created_at DESC, id DESC) WHERE error_class IS NOT NULL AND status <> 'delivered';
CREATE INDEX IF NOT EXISTS open_deliveries_failed_code ON open_deliveries (institution_id, (response_code / 100), created_at DESC, id DESC) WHERE response_code >= 300;
CREATE INDEX IF NOT EXISTS open_deliveries_ended ON open_deliveries (id) WHERE status IN ('delivered', 'dead', 'cancelled');
DO $$ DECLARE
  grantee name;
BEGIN
  FOR grantee IN SELECT r.rolname FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
                  WHERE c.oid = 'webhook_deliveries'::regclass AND a.privilege_type = 'INSERT' AND a.grantee <> c.relowner LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON open_deliveries TO %I', grantee);
  END LOOP;
END $$;`;

/** What refers to a delivery, which may lie in either table; by table, the constraint. */
const references = { webhook_attempts: 'webhook_attempts_delivery_id_fkey', webhook_replays: 'webhook_replays_delivery_id_fkey' };

/**
 * Open deliveries lie in a table of their own, in which they are claimed, retried and held; `webhook_deliveries` gets their row when
 * they end. `open_deliveries` inherits from it: a statement on `webhook_deliveries` finds both, one that inserts writes to the
 * history alone. So the release before, which knows one table, goes on beside: it finds, claims, retries and ends every delivery
 * wherever it lies, and what it leaves open in the history is found by the new release there (docs/decisions/0080-open-deliveries.md).
 *
 * Attempts and replays refer to a delivery in either table, which no foreign key can. The service's role may use the new table at once:
 * the release before calls `record_failures` before the last migration is done, which grants the others.
 */
export class OpenDeliveries1799600000000 implements MigrationInterface {
  readonly name = 'OpenDeliveries1799600000000';
  // Each table is locked by itself; all of it can be done again.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, name] of Object.entries(references)) {
      if (!(await hasConstraint(runner, table, name))) continue;
      // In the order in which the service writes.
      await runner.query(`LOCK TABLE webhook_deliveries, ${table} IN ACCESS EXCLUSIVE MODE; ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    }
    await runner.query(openDeliveries);
    await runner.query('ALTER TABLE webhook_deliveries RESET (fillfactor)');
    await runner.query(recordFailures);
  }

  // An attempt may have been recorded as its delivery was erased.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE;
INSERT INTO webhook_deliveries SELECT * FROM open_deliveries ON CONFLICT DO NOTHING;
DROP TABLE open_deliveries;
DELETE FROM webhook_attempts a WHERE NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = a.delivery_id);
DELETE FROM webhook_replays r WHERE NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = r.delivery_id);
ALTER TABLE webhook_attempts ADD CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries (id);
ALTER TABLE webhook_replays ADD CONSTRAINT webhook_replays_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries (id);
ALTER TABLE webhook_deliveries SET (fillfactor = 80);
${recordFailuresInPlace}`);
  }
}
