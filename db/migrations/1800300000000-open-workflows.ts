import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Workflows that rules have started and that have not been seen ended: a start appends a row here with that of the outbox. When Temporal
 * lost its data, they are started again from here.
 */
export class OpenWorkflows1800300000000 implements MigrationInterface {
  readonly name = 'OpenWorkflows1800300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE open_workflows (
  workflow_id text PRIMARY KEY,
  institution_id text,
  name text NOT NULL,
  argument jsonb NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  check_after timestamptz NOT NULL DEFAULT clock_timestamp() + interval '15 minutes'
);
CREATE INDEX open_workflows_due ON open_workflows (check_after);
CREATE INDEX open_workflows_institution ON open_workflows (institution_id);

CREATE OR REPLACE FUNCTION owe_workflows(p_institution_id text, p_owed json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO open_workflows (workflow_id, institution_id, name, argument)
  SELECT o.value ->> 'workflowId', p_institution_id, o.value ->> 'name', (o.value -> 'argument')::jsonb
    FROM json_array_elements(p_owed) AS o (value)
   WHERE o.value ->> 'kind' = 'start'
  ON CONFLICT DO NOTHING;
  INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument)
  SELECT p_institution_id, o.value ->> 'kind', o.value ->> 'name', o.value ->> 'workflowId', (o.value -> 'argument')::jsonb
    FROM json_array_elements(p_owed) WITH ORDINALITY AS o (value, position)
   ORDER BY o.position
$$;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE OR REPLACE FUNCTION owe_workflows(p_institution_id text, p_owed json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument)
  SELECT p_institution_id, o.value ->> 'kind', o.value ->> 'name', o.value ->> 'workflowId', (o.value -> 'argument')::jsonb
    FROM json_array_elements(p_owed) WITH ORDINALITY AS o (value, position)
   ORDER BY o.position
$$;

DROP TABLE open_workflows;
`);
  }
}
