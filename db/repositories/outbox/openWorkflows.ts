import { statement, type Sql } from '../../statement';

// A row whose start is still in the outbox is no workflow yet: Temporal cannot know it.
const claim = statement(
  'open_workflows_claim',
  `UPDATE open_workflows SET check_after = clock_timestamp() + $2 * interval '1 millisecond'
    WHERE workflow_id = ANY (ARRAY(
      SELECT o.workflow_id FROM open_workflows o
       WHERE o.check_after <= now() AND NOT EXISTS (SELECT 1 FROM owed_workflows s WHERE s.workflow_id = o.workflow_id AND s.kind = 'start')
       ORDER BY o.check_after LIMIT $1 FOR UPDATE SKIP LOCKED))
   RETURNING workflow_id`,
);

/** Claims up to `limit` open workflows that are due for a check; no other worker checks them within `againAfterMs`. */
export async function claimOpenWorkflows(sql: Sql, limit: number, againAfterMs: number): Promise<string[]> {
  return (await sql<{ workflow_id: string }>(claim, [limit, againAfterMs])).map(({ workflow_id }) => workflow_id);
}

// Behind those that have been due for longer: one that always fails keeps no other from being checked.
const release = statement('open_workflows_release', "UPDATE open_workflows SET check_after = clock_timestamp() WHERE workflow_id = ANY ($1::text[])");

/** Makes claimed workflows due for a check again. */
export async function releaseOpenWorkflows(sql: Sql, workflowIds: readonly string[]): Promise<void> {
  if (workflowIds.length > 0) await sql(release, [workflowIds]);
}

const remove = statement('open_workflows_remove', 'DELETE FROM open_workflows WHERE workflow_id = ANY ($1::text[])');

/** Deletes the rows of workflows that have ended. */
export async function removeEndedWorkflows(sql: Sql, workflowIds: readonly string[]): Promise<void> {
  if (workflowIds.length > 0) await sql(remove, [workflowIds]);
}

const startAgain = statement(
  'open_workflows_start_again',
  `INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument)
   SELECT institution_id, 'start', name, workflow_id, argument FROM open_workflows WHERE workflow_id = ANY ($1::text[]) ORDER BY started_at
   RETURNING name`,
);

/** Appends the starts of these workflows to the outbox again; returns their types. */
export async function startWorkflowsAgain(sql: Sql, workflowIds: readonly string[]): Promise<string[]> {
  return workflowIds.length === 0 ? [] : (await sql<{ name: string }>(startAgain, [workflowIds])).map(({ name }) => name);
}
