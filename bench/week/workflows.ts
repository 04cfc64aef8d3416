import type { TemporalConnection } from '../../outbound/temporal/engine';
import type { Sql } from '../../db/statement';

/** All runs of one type: their number and states, and the length of the longest history. */
export interface WorkflowTypeStats {
  type: string;
  completed: number;
  open: number;
  continued: number;
  /** Failed, timed out, terminated or cancelled. */
  failed: number;
  events: number;
  kilobytes: number;
}

type Column = 'completed' | 'open' | 'continued' | 'failed';

const columns: Readonly<Record<string, Column>> = { COMPLETED: 'completed', RUNNING: 'open', CONTINUED_AS_NEW: 'continued' };

/** Returns every workflow in Temporal, by type. Visibility contains the length of closed histories; each open one is read. */
export async function workflowsByType({ client }: TemporalConnection): Promise<WorkflowTypeStats[]> {
  const types = new Map<string, WorkflowTypeStats>();
  for await (const listed of client.workflow.list()) {
    const { workflowId, runId, type, status } = listed;
    const kind = types.get(type) ?? { type, completed: 0, open: 0, continued: 0, failed: 0, events: 0, kilobytes: 0 };
    types.set(type, kind);
    const column = columns[status.name] ?? 'failed';
    kind[column] += 1;
    const { historyLength, historySize = 0 } = column === 'open' ? await client.workflow.getHandle(workflowId, runId).describe() : listed;
    kind.events = Math.max(kind.events, historyLength);
    kind.kilobytes = Math.max(kind.kilobytes, Math.ceil(historySize / 1_024));
  }
  return [...types.values()].sort((one, other) => one.type.localeCompare(other.type));
}

/** The expected open workflows: as many of each type as Postgres has waiting rows; none of any other type. */
const waitingCounts: Readonly<Record<string, string>> = {
  couponBatchApproval: "SELECT count(*)::int AS n FROM coupon_batches WHERE status = 'pending'",
  guardianInvitation: 'SELECT count(*)::int AS n FROM guardian_links WHERE verified_at IS NULL AND expires_at > now()',
  developerInvitation: "SELECT count(*)::int AS n FROM developers WHERE status = 'invited' AND expires_at > now()",
  attemptExpiry: "SELECT count(DISTINCT exam_id)::int AS n FROM attempts WHERE status = 'in_progress' AND expires_at IS NOT NULL",
};

/** Returns how many workflows of a type are expected to be open. */
export async function countExpectedOpen(sql: Sql, type: string): Promise<number> {
  const statement = waitingCounts[type];
  if (statement === undefined) return 0;
  const [row] = await sql<{ n: number }>(statement, []);
  return row?.n ?? 0;
}
