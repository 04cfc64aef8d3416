import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './briefLocks';
import { hasConstraint } from './constraints';

/** The function that appends events, with and without the trace that they belong to. */
const appendEvents = (field: string, column: string): string => `
CREATE OR REPLACE FUNCTION append_events(p_institution_id text, p_events json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event_count bigint := json_array_length(p_events);
  last_stamp bigint := stamp_events(p_institution_id, event_count);
BEGIN
  WITH stamped AS (
    SELECT e.value ->> 'id' AS id, e.value ->> 'type' AS type, e.value ->> 'data' AS data,${field}
           'epoch'::timestamptz + (last_stamp - event_count + e.position) * interval '1 millisecond' AS created_at
      FROM json_array_elements(p_events) WITH ORDINALITY AS e (value, position)
  ), appended AS (
    INSERT INTO events (id, institution_id, type, created_at, body${column})
    SELECT id, p_institution_id, type, created_at,
           '{"id":"' || id || '","type":"' || type || '","created_at":"'
           || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           || '","institution_id":"' || p_institution_id || '","data":' || data || '}'${column}
      FROM stamped
    RETURNING id, type, created_at
  )
  INSERT INTO event_queue (event_id, institution_id, type, created_at)
  SELECT id, p_institution_id, type, created_at FROM appended ORDER BY created_at;
END $$;
`;

const oweWorkflows = (column: string, value: string): string => `
CREATE OR REPLACE FUNCTION owe_workflows(p_institution_id text, p_owed json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO open_workflows (workflow_id, institution_id, name, argument)
  SELECT o.value ->> 'workflowId', p_institution_id, o.value ->> 'name', (o.value -> 'argument')::jsonb
    FROM json_array_elements(p_owed) AS o (value)
   WHERE o.value ->> 'kind' = 'start'
  ON CONFLICT DO NOTHING;
  INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument${column})
  SELECT p_institution_id, o.value ->> 'kind', o.value ->> 'name', o.value ->> 'workflowId', (o.value -> 'argument')::jsonb${value}
    FROM json_array_elements(p_owed) WITH ORDINALITY AS o (value, position)
   ORDER BY o.position
$$;
`;

/** The tables whose rows go on with the trace of the call that wrote them. */
const tables = ['events', 'owed_workflows'] as const;

/**
 * Events and the workflow outbox keep the `traceparent` of the call that wrote them, if its trace is recorded. The check stays
 * unvalidated: all rows from before have none, and looking at each would read every partition of the events.
 */
export class TraceContexts1800300000002 implements MigrationInterface {
  readonly name = 'TraceContexts1800300000002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) {
      const name = `${table}_trace_context_check`;
      const check = (await hasConstraint(runner, table, name)) ? '' : `, ADD CONSTRAINT ${name} CHECK (length(trace_context) = 55) NOT VALID`;
      await lockBriefly(runner, table, () => runner.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS trace_context text${check}`));
    }
    await runner.query(appendEvents(" e.value ->> 'trace' AS trace_context,", ', trace_context'));
    await runner.query(oweWorkflows(', trace_context', ", o.value ->> 'trace'"));
  }

  // TypeORM undoes in a transaction, whatever the migration says.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(appendEvents('', ''));
    await runner.query(oweWorkflows('', ''));
    for (const table of tables) await runner.query(`ALTER TABLE ${table} DROP COLUMN trace_context`);
  }
}
