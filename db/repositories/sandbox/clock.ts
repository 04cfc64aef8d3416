import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import { writeEventClockOffset } from '../events/clock';

/** The clock of a sandbox. */
export interface SandboxClock {
  /** How far it is ahead, in ms. */
  offsetMs: number;
  /** How often the sandbox was reset; the clock is monotone between two resets. */
  resets: number;
}

const read = statement('sandbox_clock', 'SELECT clock_offset_ms::float8 AS "offsetMs", resets FROM institutions WHERE id = $1 AND sandbox_of IS NOT NULL');

/** The clock of the scope's sandbox; undefined for any other institution. */
export async function readSandboxClock(scope: InstitutionScope): Promise<SandboxClock | undefined> {
  const [row] = await scope.sql<SandboxClock>(read, [scope.institutionId]);
  return row;
}

const write = statement('sandbox_clock_write', 'UPDATE institutions SET clock_offset_ms = $2 WHERE id = $1 AND sandbox_of IS NOT NULL');

/** Writes how far the clock of the scope's locked sandbox is ahead, for its callers and for its events, which follow at the commit at the latest. */
export async function writeClockOffset(scope: InstitutionScope, offsetMs: number): Promise<void> {
  await scope.sql(write, [scope.institutionId, offsetMs]);
  await writeEventClockOffset(scope, offsetMs);
}

// Deliveries of endpoints whose clock is paused keep their plan: their 12 hours do not run. With an open circuit they run, and
// there is no last attempt.
const makeRetriesDue = statement(
  'sandbox_retries_due',
  `UPDATE open_deliveries d SET next_attempt_at = least(d.next_attempt_at, $2),
          deadline_at = CASE WHEN d.deadline_at > $3 AND e.circuit = 'closed' THEN greatest(d.deadline_at, $4) ELSE d.deadline_at END
     FROM webhook_endpoints e
    WHERE d.institution_id = $1 AND d.status = 'retrying' AND (d.next_attempt_at <= $2 OR d.deadline_at < $4)
      AND e.institution_id = $1 AND e.id = d.endpoint_id AND e.resting_since IS NULL`,
);

/**
 * Makes the retries of the scope's sandbox that fall due between `before` and `now` due at once; those whose deadline passes within
 * this time have their last attempt until `lastUntil`, unless the circuit of their endpoint is open.
 */
export async function makeSkippedRetriesDue(scope: InstitutionScope, { before, now, lastUntil }: { before: Date; now: Date; lastUntil: Date }): Promise<void> {
  await scope.sql(makeRetriesDue, [scope.institutionId, now, before, lastUntil]);
}

/** What waits for a time of the sandbox's clock, each in a workflow of its own. */
export const waitingKinds = ['attempts', 'guardianInvitations', 'developerInvitations', 'couponBatches', 'deliveries', 'backlogs'] as const;
export type WaitingKind = (typeof waitingKinds)[number];

/** The number of its run, cycle or invitation, of which its workflow's id is made. */
export interface WaitingRow {
  id: string;
  nth: number;
}

const waiting = (table: string, { id = 'id', nth, condition, expires = false }: { id?: string; nth: string; condition: string; expires?: boolean }) => ({
  query: statement(
    `sandbox_waiting_in_${table}`,
    `SELECT ${id} AS id, ${nth} AS nth FROM ${table} WHERE institution_id = $1 AND ${id} > $2 AND (${condition})
        ${expires ? "AND expires_at > $4 AND expires_at <= coalesce($5::timestamptz, 'infinity')" : ''} ORDER BY ${id} LIMIT $3`,
  ),
  expires,
});

const waitingStatements: Record<WaitingKind, ReturnType<typeof waiting>> = {
  attempts: waiting('attempt_expiries', { id: 'exam_id', nth: 'run', condition: 'open' }),
  guardianInvitations: waiting('guardian_links', { nth: 'invitation', condition: 'verified_at IS NULL', expires: true }),
  developerInvitations: waiting('developers', { id: 'user_id', nth: 'invitation', condition: "status = 'invited'", expires: true }),
  couponBatches: waiting('coupon_batches', { nth: '1', condition: "status = 'pending'" }),
  deliveries: waiting('open_deliveries', { nth: 'cycle', condition: "status = 'retrying' AND retried_by = 'workflow'" }),
  backlogs: waiting('webhook_endpoints', { nth: 'backlog_run', condition: 'backlog_open' }),
};

/** A chunk of what waits: by id after `afterId`, '' for the first. */
export interface WaitingChunk {
  afterId: string;
  since: Date;
  until: Date | null;
  limit: number;
}

/** The next of a kind that waited when the clock stood at `since`; with `until` only those whose time was over by then, of kinds that have one. */
export async function listWaiting(scope: Pick<InstitutionScope, 'institutionId' | 'sql'>, kind: WaitingKind, { afterId, since, until, limit }: WaitingChunk): Promise<WaitingRow[]> {
  const { query, expires } = waitingStatements[kind];
  if (!expires && until !== null) return [];
  return scope.sql(query, [scope.institutionId, afterId, limit, ...(expires ? [since, until] : [])]);
}
