import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import type { Sql } from '../../db/statement';
import { errorMessage } from '../../local/errors';
import { waitUntil } from '../../local/waitUntil';
import type { Receiver } from '../support/receiver';
import type { School } from './school';

/** What was begun under the old release and ends under the new one. */
export interface LongWork {
  examId: string;
  attemptId: string;
  batchId: string;
  guardianEmail: string;
  linkId: string;
  developerId: string;
  /** The workflows that were open before the upgrade, without those of Schedules. */
  workflows: readonly OpenWorkflow[];
}

/** A workflow that has not ended. */
export interface OpenWorkflow {
  workflowId: string;
  type: string;
}

/** How one kind of it ended. */
export interface WorkEnd {
  work: string;
  result: string;
  ok: boolean;
}

const dayMs = 86_400_000;
const openWithinMs = 60_000;
const wantedTypes = ['attemptExpiry', 'couponBatchApproval', 'developerInvitation', 'guardianInvitation', 'webhookDelivery'];

/** Those of these types in which something waits; the others are done in moments. */
async function openWorkflows({ client }: TemporalConnection, types: readonly string[]): Promise<OpenWorkflow[]> {
  const open: OpenWorkflow[] = [];
  for await (const { workflowId, type } of client.workflow.list({ query: "ExecutionStatus = 'Running'" })) {
    if (types.includes(type)) open.push({ workflowId, type });
  }
  return open;
}

/** Waits until workflows of each of these types are open; returns them, with those of other types that may be open. */
export async function waitForOpenWorkflows(temporal: TemporalConnection, types: readonly string[], others: readonly string[] = []): Promise<OpenWorkflow[]> {
  let found: OpenWorkflow[] = [];
  await waitUntil({
    what: `open workflows of ${types.join(', ')}`,
    withinMs: openWithinMs,
    check: async () => {
      found = await openWorkflows(temporal, [...types, ...others]);
      const missing = types.filter((type) => !found.some((open) => open.type === type));
      if (missing.length > 0) throw new Error(`none of ${missing.join(', ')}`);
    },
  });
  return found;
}

/** Begins what waits for days: an attempt with a deadline, a batch of coupons, invitations, and a delivery that is retried. */
export async function beginLongWork(school: School, temporal: TemporalConnection, limitMinutes: number): Promise<LongWork> {
  const exam = await school.key<{ id: string }>('POST /exams', '/exams', { faculty_id: school.teacherId, title: 'Begun before', group_ids: [school.groupId], time_limit_minutes: limitMinutes });
  const attempt = await school.person<{ id: string }>(school.people[0]?.session, 'POST /app/exams/{id}/attempts', `/app/exams/${exam.id}/attempts`, {});
  const batch = await school.key<{ id: string }>('POST /coupons/batches', '/coupons/batches', { name: 'Prizes', total_coupons: 20, value_cents: 100, expiry_date: new Date(Date.now() + 365 * dayMs).toISOString() });
  const guardianEmail = 'guardian@mail.upgrade.example';
  const link = await school.key<{ id: string }>('POST /guardians', '/guardians', { student_id: school.studentIds[2], guardian_email: guardianEmail, guardian_type: 'mother' });
  const developer = await school.portal<{ id: string }>('POST /institutions/{id}/developers', `/institutions/${school.id}/developers`, { email: 'developer@mail.upgrade.example', name: 'Linus' });
  const workflows = await waitForOpenWorkflows(temporal, wantedTypes, ['endpointBacklog']);
  return { examId: exam.id, attemptId: attempt.id, batchId: batch.id, guardianEmail, linkId: link.id, developerId: developer.id, workflows };
}

/** Returns the token of the newest email to this address. */
function tokenFor(folder: string, address: string): string {
  for (const name of readdirSync(folder).sort().reverse()) {
    if (!name.endsWith('.eml')) continue;
    const mail = readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const token = mail.includes(address) ? /[?&]token=([\w.-]+)/.exec(mail)?.[1] : undefined;
    if (token !== undefined) return token;
  }
  throw new Error(`No email to ${address} has a token`);
}

/** What ends it, and how long that may take. */
export interface Ending {
  work: string;
  withinMs: number;
  act: () => Promise<unknown>;
  /** Throws until it has ended. */
  check: () => Promise<void>;
}

interface EndDeps {
  sql: Sql;
  temporal: TemporalConnection;
  failing: Receiver;
  mailDir: string;
  limitMinutes: number;
}

/** Ends each under the new release, as people do, and says how it went. */
export async function endLongWork(school: School, work: LongWork, { sql, temporal, failing, mailDir, limitMinutes }: EndDeps): Promise<WorkEnd[]> {
  const expect = async (text: string, values: readonly unknown[], wanted: string): Promise<void> => {
    const [row] = await sql<{ found: string | null }>(text, values);
    if (row?.found !== wanted) throw new Error(`is ${String(row?.found)}, not ${wanted}`);
  };
  const endings: Ending[] = [
    {
      work: 'batch of coupons: approved',
      withinMs: 60_000,
      act: () => school.platform('POST /institutions/{id}/coupon-batches/{id}/approve', `/institutions/${school.id}/coupon-batches/${work.batchId}/approve`, {}),
      check: () => expect('SELECT count(*)::text AS found FROM coupons WHERE batch_id = $1', [work.batchId], '20'),
    },
    {
      work: 'invitation of a guardian: accepted',
      withinMs: 30_000,
      act: async () => {
        await school.person(undefined, 'POST /guardian-invitations/accept', '/guardian-invitations/accept', { token: tokenFor(mailDir, work.guardianEmail) });
        await school.person(undefined, 'POST /sign-in/codes', '/sign-in/codes', { login_email: work.guardianEmail });
        await school.person(undefined, 'POST /sign-in/sessions', '/sign-in/sessions', { login_email: work.guardianEmail, code: await school.mailbox.codeFor(work.guardianEmail) });
      },
      check: () => expect('SELECT (verified_at IS NOT NULL)::text AS found FROM guardian_links WHERE id = $1', [work.linkId], 'true'),
    },
    {
      work: 'invitation of a developer: taken back',
      withinMs: 30_000,
      act: () => school.portal('POST /developers/{id}/revoke', `/developers/${work.developerId}/revoke`, {}),
      check: () => expect("SELECT (status <> 'invited')::text AS found FROM developers WHERE user_id = $1", [work.developerId], 'true'),
    },
    {
      work: 'attempt at an exam: ended by its deadline',
      withinMs: limitMinutes * 60_000 + 60_000,
      act: async () => undefined,
      check: () => expect("SELECT (status <> 'in_progress')::text AS found FROM attempts WHERE id = $1", [work.attemptId], 'true'),
    },
    {
      work: 'deliveries in retry: delivered once the receiver takes them',
      withinMs: 180_000,
      act: async () => {
        failing.respond = () => 200;
        const open = await sql<{ id: string }>("SELECT id FROM deliveries WHERE endpoint_id = $1 AND status = 'retrying'", [school.failingEndpointId]);
        for (const { id } of open) await school.platform('POST /institutions/{id}/deliveries/{id}/retry-now', `/institutions/${school.id}/deliveries/${id}/retry-now`, {}).catch(() => undefined);
      },
      check: () => expect("SELECT count(*)::text AS found FROM deliveries WHERE endpoint_id = $1 AND status <> 'delivered'", [school.failingEndpointId], '0'),
    },
    completionOf(temporal, work.workflows),
  ];
  return endAll(endings);
}

/** The end of workflows that are open, once nothing waits in them any more. */
export function completionOf({ client }: TemporalConnection, workflows: readonly OpenWorkflow[]): Ending {
  return {
    work: `${workflows.length} workflows that were open before (${[...new Set(workflows.map(({ type }) => type))].sort().join(', ')}): completed`,
    withinMs: 60_000,
    act: async () => undefined,
    check: async () => {
      const left: string[] = [];
      for (const { workflowId, type } of workflows) {
        const { status } = await client.workflow.getHandle(workflowId).describe();
        if (status.name !== 'COMPLETED') left.push(`${type} ${status.name}`);
      }
      if (left.length > 0) throw new Error(left.join(', '));
    },
  };
}

/** Ends one after the other and says how each went. */
export async function endAll(endings: readonly Ending[]): Promise<WorkEnd[]> {
  const ends: WorkEnd[] = [];
  for (const { work: name, withinMs, act, check } of endings) {
    const begun = performance.now();
    const failure = await act().then(() => waitUntil({ what: name, withinMs, check })).then(() => undefined, (error: unknown) => errorMessage(error));
    ends.push({ work: name, result: failure ?? `after ${Math.round(performance.now() - begun)} ms`, ok: failure === undefined });
  }
  return ends;
}
