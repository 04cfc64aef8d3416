import { temporal } from '@temporalio/proto';
import { quantile } from '../../bench/statistics';
import type { Sql } from '../../db/statement';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import type { Receiver } from '../support/receiver';
import type { Caller } from './calls';
import { events, type School } from './school';
import type { Stop } from './service';

/** The calls of one phase. */
interface PhaseCalls {
  phase: string;
  calls: number;
  p99_ms: number;
  slowest_ms: number;
  slowest: string;
  /** Answers that ask to come back, by their status: nothing was done, and the call was repeated. */
  asked_to_retry: string;
  /** All other answers but 2xx, by their status; 0 where none came. */
  failed: string;
}

const countsOf = (statuses: readonly number[]): string =>
  [...new Set(statuses)].sort((one, other) => one - other).map((status) => `${statuses.filter((other) => other === status).length} × ${status}`).join(', ');

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Returns the calls of each phase, in their order. */
export function callsByPhase({ tries }: Caller): PhaseCalls[] {
  return [...new Set(tries.map(({ phase }) => phase))].map((phase) => {
    const those = tries.filter((one) => one.phase === phase);
    // A bulk call takes as long as its batch.
    const timed = those.filter(({ operation }) => operation !== 'POST /students/bulk');
    const slowest = timed.reduce((one, other) => (other.ms > one.ms ? other : one), timed[0] ?? { ms: 0, operation: '' });
    return {
      phase,
      calls: those.length,
      p99_ms: Math.round(quantile(timed.map(({ ms }) => ms), 0.99)),
      slowest_ms: Math.round(slowest.ms),
      slowest: slowest.operation,
      asked_to_retry: countsOf(those.filter(({ asksToRetry }) => asksToRetry).map(({ status }) => status)),
      failed: countsOf(those.filter(({ asksToRetry, status }) => !asksToRetry && !isSuccess(status)).map(({ status }) => status)),
    };
  });
}

/** What was published for an endpoint, and what its receiver got. */
interface Arrivals {
  published: number;
  arrived: number;
  lost: number;
  /** The first ones: id, type, time, and what became of their delivery. */
  first_lost: string;
  /** Arrivals of what had arrived before. */
  duplicates: number;
  /** Those of them whose first arrival was not under way at the end of a process. */
  unexplained_duplicates: number;
}

const namedLost = 10;

/** An attempt takes up to 10 s. */
const attemptMs = 10_000;

async function describeLost(sql: Sql, endpointId: string, ids: readonly string[]): Promise<string> {
  const rows = await sql<{ described: string }>(
    `SELECT concat_ws(' ', e.id, e.type, e.created_at, coalesce(d.status || ' after ' || d.attempts || ' attempts', 'no delivery')) AS described
       FROM events e LEFT JOIN deliveries d ON d.event_id = e.id AND d.endpoint_id = $1
      WHERE e.id = ANY ($2) ORDER BY e.id`,
    [endpointId, ids],
  );
  return rows.map(({ described }) => described).join('; ');
}

/** Compares the events of the trial with what the receiver of everything got. */
export async function countArrivals(sql: Sql, school: School, receiver: Receiver, stops: readonly Stop[]): Promise<Arrivals> {
  // By the times in ids: 0.5.0 gave the events of one call times that were still to come, and an endpoint made meanwhile an earlier one.
  const published = await sql<{ id: string }>(
    'SELECT e.id FROM events e JOIN webhook_endpoints w ON w.institution_id = e.institution_id AND e.created_at > w.created_at AND public.time_of_id(e.id) > public.time_of_id(w.id) WHERE w.id = $1 AND e.type = ANY ($2)',
    [school.endpointId, events],
  );
  const firstAt = new Map<string, number>();
  let duplicates = 0;
  let unexplained = 0;
  for (const { headers, at } of receiver.received) {
    const id = String(headers['webhook-id']);
    const first = firstAt.get(id);
    if (first === undefined) {
      firstAt.set(id, at);
      continue;
    }
    duplicates += 1;
    if (!stops.some(({ from, to }) => first >= from - attemptMs && first <= to)) unexplained += 1;
  }
  const lost = published.filter(({ id }) => !firstAt.has(id)).map(({ id }) => id);
  return { published: published.length, arrived: firstAt.size, lost: lost.length, first_lost: await describeLost(sql, school.endpointId, lost.slice(0, namedLost)), duplicates, unexplained_duplicates: unexplained };
}

/** A type of workflow, and the tasks that failed in its histories by what was wrong with its code. */
export interface WorkflowTasks {
  type: string;
  runs: number;
  open: number;
  /** Ended otherwise than completed or continued. */
  failed: number;
  task_failures: number;
  /** Where the failures were. */
  causes: string;
}

const { EventType, WorkflowTaskFailedCause: Cause } = temporal.api.enums.v1;
/** Temporal's own, which is no error: a signal came in while the worker was answering. */
const harmless: readonly number[] = [Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND, Cause.WORKFLOW_TASK_FAILED_CAUSE_RESET_STICKY_TASK_QUEUE, Cause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND];

/** Reads every history. */
export async function readWorkflowTasks({ client }: TemporalConnection): Promise<WorkflowTasks[]> {
  const types = new Map<string, WorkflowTasks & { seen: Map<string, number> }>();
  for await (const { workflowId, runId, type, status } of client.workflow.list()) {
    const found = types.get(type) ?? { type, runs: 0, open: 0, failed: 0, task_failures: 0, causes: '', seen: new Map<string, number>() };
    types.set(type, found);
    found.runs += 1;
    if (status.name === 'RUNNING') found.open += 1;
    else if (status.name !== 'COMPLETED' && status.name !== 'CONTINUED_AS_NEW') found.failed += 1;
    const { events: history } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { eventType, workflowTaskFailedEventAttributes: failure } of history ?? []) {
      if (eventType !== EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED || failure?.cause == null || harmless.includes(failure.cause)) continue;
      found.task_failures += 1;
      const what = `${Cause[failure.cause].replace('WORKFLOW_TASK_FAILED_CAUSE_', '')}: ${failure.failure?.message?.slice(0, 160) ?? ''}`;
      found.seen.set(what, (found.seen.get(what) ?? 0) + 1);
    }
  }
  return [...types.values()]
    .sort((one, other) => one.type.localeCompare(other.type))
    .map(({ seen, ...found }) => ({ ...found, causes: [...seen].map(([what, count]) => `${count} × ${what}`).join('; ') }));
}
