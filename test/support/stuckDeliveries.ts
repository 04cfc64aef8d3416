import { backlogWorkflowId, deliveryWorkflowId } from '../../domain/outbox/workflows';
import type { TestApi } from './api';
import { openTestTemporal } from './temporal';

interface WaitingDelivery {
  id: string;
  cycle: number;
  retried_by: 'workflow' | 'backlog' | null;
  status: 'held' | 'retrying';
  endpoint_id: string;
  backlog_open: boolean;
  backlog_run: number;
}

/** The workflow that is to wait for a delivery; none has the id `nobody`. */
function workflowWaitingFor({ id, cycle, status, retried_by, endpoint_id, backlog_open, backlog_run }: WaitingDelivery): string {
  if (status === 'retrying' && retried_by === 'workflow') return deliveryWorkflowId(id, cycle);
  return backlog_open ? backlogWorkflowId(endpoint_id, backlog_run) : 'nobody';
}

/** Ids of the workflows of an institution's deliveries that run, as Temporal lists them. */
export async function runningWorkflows(api: TestApi, institutionId: string): Promise<string[]> {
  const { client } = openTestTemporal(api.settings);
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query: `InstitutionId = "${institutionId}" AND ExecutionStatus = "Running"` })) ids.push(workflowId);
  return ids;
}

/** Deliveries of an institution that wait, held or for their next attempt, though the workflow that should wait for them does not run. */
export async function stuckDeliveries(api: TestApi, institutionId: string): Promise<string[]> {
  const { sql } = api.api.domain.database;
  const running = new Set(await runningWorkflows(api, institutionId));
  const waiting = await sql<WaitingDelivery>(
    `SELECT d.id, d.cycle, d.status, d.retried_by, e.id AS endpoint_id, e.backlog_open, e.backlog_run
       FROM deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
      WHERE d.institution_id = $1 AND d.status IN ('held', 'retrying')`,
    [institutionId],
  );
  return waiting
    .map((delivery) => ({ ...delivery, waiter: workflowWaitingFor(delivery) }))
    .filter(({ waiter }) => !running.has(waiter))
    .map(({ id, status, waiter }) => `${id} is ${status}, ${waiter} does not run`);
}
