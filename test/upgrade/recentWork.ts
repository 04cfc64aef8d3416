import { randomUUID } from 'node:crypto';
import type { Sql } from '../../db/statement';
import { scopes } from '../../domain/scopes';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import type { Receiver } from '../support/receiver';
import type { Caller } from './calls';
import { completionOf, endAll, waitForOpenWorkflows, type OpenWorkflow, type WorkEnd } from './longWork';
import type { School } from './school';

/** What releases since 0.13.0 can do, beyond {@link LongWork}: begun under the old release, or while processes are replaced. */
export interface RecentWork {
  leavingId: string;
  pausedEndpointId: string;
  /** The key of the sandbox. */
  testKey: string;
  workflows: readonly OpenWorkflow[];
}

interface Deps {
  school: School;
  caller: Caller;
  /** Ends with `/v1`. */
  apiUrl: string;
  temporal: TemporalConnection;
}

const wantedTypes = ['institutionOffboarding', 'endpointBacklog'];
/** The types of {@link doShortWork}, each of which ends within moments. */
const shortTypes = ['personErasure', 'personExport', 'sandboxClockAdvance', 'bulkProvisioning'];
const endWithinMs = 60_000;
/** Of no event that the trial counts. */
const heldEvent = 'faculty.created';

/** Begins an institution's end, which waits for 30 days, and deliveries that wait at a paused endpoint. */
export async function beginRecentWork({ school, temporal }: Deps, taking: Receiver): Promise<RecentWork> {
  const leaving = await school.platform<{ id: string }>('POST /institutions', '/institutions', { name: 'Leaving School', login_domain: 'leaving.example', admin_email: 'admin@leaving.example', admin_name: 'Admin' });
  await school.platform('POST /institutions/{id}/approve', `/institutions/${leaving.id}/approve`, {});
  await school.platform('POST /institutions/{id}/offboard', `/institutions/${leaving.id}/offboard`, {});
  const endpoint = await school.key<{ id: string }>('POST /webhooks/endpoints', '/webhooks/endpoints', { url: taking.url, events: [heldEvent] });
  await school.key('PATCH /webhooks/endpoints/{id}', `/webhooks/endpoints/${endpoint.id}`, { status: 'paused' });
  await school.key('POST /faculty', '/faculty', { full_name: 'Held Teacher' });
  const sandbox = await school.portal<{ api_key: string }>('POST /institutions/{id}/keys', `/institutions/${school.id}/keys`, { name: 'Sandbox', scopes: scopes.map(({ scope }) => scope), environment: 'test' });
  return { leavingId: leaving.id, pausedEndpointId: endpoint.id, testKey: sandbox.api_key, workflows: await waitForOpenWorkflows(temporal, wantedTypes) };
}

/** Asks for an erasure, an export, a step of a sandbox's clock and students in bulk. */
export async function doShortWork({ school, caller, apiUrl }: Deps, { testKey }: RecentWork): Promise<void> {
  const teacher = await school.key<{ id: string }>('POST /faculty', '/faculty', { full_name: 'Leaving Teacher' });
  await school.key('POST /faculty/{id}/erase', `/faculty/${teacher.id}/erase`, {});
  await school.key('POST /students/{id}/export', `/students/${school.studentIds[3] ?? ''}/export`, {});
  await caller.call('POST /sandbox/clock', 'POST', `${apiUrl}/sandbox/clock`, { token: testKey, body: { advance_seconds: 3_600 } });
  await school.key('POST /students/bulk', '/students/bulk', { students: Array.from({ length: 20 }, () => ({ full_name: `Bulk ${randomUUID()}` })) });
}

async function requireNoneOpen({ client }: TemporalConnection, types: readonly string[]): Promise<void> {
  for await (const { workflowId, type } of client.workflow.list({ query: "ExecutionStatus = 'Running'" })) {
    if (types.includes(type)) throw new Error(`${type} ${workflowId} is open`);
  }
}

/** Ends all of it, and says how that went; `rounds` is how often {@link doShortWork} was asked for. */
export async function endRecentWork({ school, temporal }: Deps, work: RecentWork, rounds: number, sql: Sql): Promise<WorkEnd[]> {
  return endAll([
    {
      work: `${shortTypes.join(', ')}, ${rounds} of each: completed`,
      withinMs: endWithinMs,
      act: async () => undefined,
      check: async () => {
        await requireNoneOpen(temporal, shortTypes);
        for (const type of shortTypes) {
          const { count } = await temporal.client.workflow.count(`WorkflowType = '${type}' AND ExecutionStatus = 'Completed'`);
          if (count < rounds) throw new Error(`${count} of ${type}`);
        }
      },
    },
    {
      work: 'end of an institution: called off',
      withinMs: endWithinMs,
      act: () => school.platform('POST /institutions/{id}/offboard/cancel', `/institutions/${work.leavingId}/offboard/cancel`, {}),
      check: async () => {
        const [row] = await sql<{ n: number }>("SELECT count(*)::int AS n FROM institutions WHERE id = $1 AND status = 'approved'", [work.leavingId]);
        if (row?.n !== 1) throw new Error('it is not approved');
      },
    },
    {
      work: 'deliveries at a paused endpoint: delivered once it is active',
      withinMs: endWithinMs,
      act: () => school.key('PATCH /webhooks/endpoints/{id}', `/webhooks/endpoints/${work.pausedEndpointId}`, { status: 'active' }),
      check: async () => {
        const [row] = await sql<{ delivered: number; others: number }>(
          "SELECT (count(*) FILTER (WHERE status = 'delivered'))::int AS delivered, (count(*) FILTER (WHERE status <> 'delivered'))::int AS others FROM deliveries WHERE endpoint_id = $1",
          [work.pausedEndpointId],
        );
        if (row === undefined || row.delivered === 0 || row.others > 0) throw new Error(`${row?.delivered ?? 0} are delivered, ${row?.others ?? 0} are not`);
      },
    },
    completionOf(temporal, work.workflows),
  ]);
}
