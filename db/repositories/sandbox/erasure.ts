import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import { resetEventClock } from '../events/clock';
import { statusIsEnded } from '../webhooks/openDeliveries';

/*
 * These statements are not prepared by name: they run when a sandbox is reset or an institution has left, and each deserves a plan of its own.
 */

/** Whose rows, and what runs statements. */
type SqlScope = Pick<InstitutionScope, 'institutionId' | 'sql'>;

/** The tables of an institution's rows that an erasure empties: each before those that its rows reference. Attempts come after their deliveries: none is recorded of a deleted delivery. */
export const erasedTables = [
  'idempotency_keys', 'event_queue', 'webhook_replays', 'open_deliveries', 'webhook_deliveries', 'webhook_attempts', 'endpoint_statistics', 'webhook_rate_limits', 'webhook_endpoints', 'events', 'pruned_events', 'sandbox_emails',
  'sign_in_emails', 'sign_in_codes', 'enrolment_codes', 'account_claims', 'mailbox_changes', 'sign_ins', 'activations', 'seats', 'sessions', 'exam_notice_recipients', 'exam_notices', 'attempt_expiries', 'attempt_events',
  'code_secret_releases', 'submission_attachments', 'exam_files', 'files', 'submissions', 'attempts', 'exam_assignments', 'exams', 'group_members', 'groups',
  'weekly_report_letters', 'weekly_report_runs', 'weekly_reports', 'guardian_letters', 'guardian_links', 'developers', 'alpha_badges', 'alpha_days',
  'alpha_mastery', 'alpha_progress', 'alpha_students', 'alpha_points', 'alpha_enrollments', 'curriculum_concepts', 'curricula', 'merit_moves', 'wallets',
  'coupons', 'coupon_batches', 'provisioning_rows', 'provisioning_batches', 'institution_retention', 'person_exports', 'institution_emails', 'licenses', 'users',
] as const;
export type ErasedTable = (typeof erasedTables)[number];

/** The tables of an institution's rows that an erasure leaves, and why. */
export const keptTables = {
  api_keys: 'Test keys survive a reset.',
  allowances: 'One row, which is reset.',
  event_clocks: 'One row, which is reset.',
  login_counters: 'Two rows, which are reset.',
  audit_log: 'It is append-only, and says who has reset the sandbox.',
  erasures: 'Certificates of people who were erased: ids and counts.',
  offboardings: 'A sandbox has none: it leaves with its institution.',
  institution_quotas: 'The platform sets them.',
  new_address_emails: 'A reset must not allow more emails on the same day.',
  row_counts: 'Triggers subtract the rows that the erasure deletes.',
  row_count_checks: 'When the counts were last compared with the rows.',
  stored_bytes: 'Triggers subtract the files that the erasure deletes.',
  disclosures: 'It is append-only; its rows name people by their ids alone.',
  owed_workflows: 'The relay empties it within seconds; among its rows is the start of the reset.',
  open_workflows: 'What has ended leaves it within minutes; among its rows is the reset.',
} as const;

/** What an erasure finds of a table's rows: how they belong to the institution, and in which order they are deleted, if it matters. */
interface TableRows {
  own?: string;
  orderBy?: string;
  /** The columns that name a row of a partitioned table, that of its partitions first: a ctid names one within a partition alone. */
  key?: readonly [string, ...string[]];
}

const particularTables: Partial<Record<ErasedTable, TableRows>> = {
  // The key of the call that asked for the reset stays, so that a repetition of that call is not a second reset. Who has left keeps none.
  idempotency_keys: { own: "institution_id = $1 AND created_at < (SELECT CASE WHEN read_only_until IS NULL THEN erasing_since ELSE 'infinity' END FROM institutions WHERE id = $1)" },
  events: { key: ['id'] },
  attempt_events: { key: ['attempt_id', 'id'] },
  // Where open_deliveries inherits from it, a statement on it finds open ones, too: they are the other's.
  webhook_deliveries: { key: ['id'], own: `institution_id = $1 AND ${statusIsEnded}` },
  webhook_attempts: { key: ['delivery_id', 'number'], own: 'institution_id = $1 AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE institution_id = $1)' },
  curriculum_concepts: { own: 'curriculum_id IN (SELECT id FROM curricula WHERE institution_id = $1)' },
  // Each entry of a ledger references the one before it.
  alpha_points: { orderBy: 'number DESC' },
  merit_moves: { orderBy: 'created_at DESC' },
};

const ownRows = (table: ErasedTable): string => particularTables[table]?.own ?? 'institution_id = $1';

/** The columns of deleted rows by which workflows are found that wait for something about them. */
export interface ErasedRow {
  id: string | null;
  /** The number of the occurrence in the id of the workflow. */
  occurrence: number;
}

/** Of the tables whose rows workflows wait for: what names the workflow, of rows that have one. */
const awaited: Partial<Record<ErasedTable, string>> = {
  open_deliveries: "CASE WHEN retried_by = 'workflow' THEN id END AS id, cycle AS occurrence",
  webhook_endpoints: 'CASE WHEN backlog_open THEN id END AS id, backlog_run AS occurrence',
  attempt_expiries: 'CASE WHEN open THEN exam_id END AS id, run AS occurrence',
  guardian_links: 'CASE WHEN verified_at IS NULL THEN id END AS id, invitation AS occurrence',
  developers: "CASE WHEN status = 'invited' THEN user_id END AS id, invitation AS occurrence",
  coupon_batches: "CASE WHEN status = 'pending' THEN id END AS id, 1 AS occurrence",
};

/** Deletes at most `limit` of the institution's rows of a table; returns them, with ids where a workflow waits for something about them. */
export function eraseRows(scope: SqlScope, table: ErasedTable, limit: number): Promise<ErasedRow[]> {
  const orderBy = particularTables[table]?.orderBy;
  const key: readonly [string, ...string[]] = particularTables[table]?.key ?? ['ctid'];
  const columns = key.join(', ');
  const chunk = `SELECT ${columns} FROM ${table} WHERE ${ownRows(table)} ${orderBy === undefined ? '' : `ORDER BY ${orderBy}`} LIMIT $2`;
  // An index finds rows by the first column at any size of the table.
  const found = key.length === 1
    ? `${key[0]} = ANY (ARRAY(${chunk}))`
    : `${key[0]} = ANY (ARRAY(SELECT ${key[0]} FROM chunk)) AND (${columns}) IN (SELECT ${columns} FROM chunk)`;
  const chosen = key.length === 1 ? '' : `WITH chunk AS MATERIALIZED (${chunk}) `;
  return scope.sql(`${chosen}DELETE FROM ${table} WHERE ${found} AND ${ownRows(table)} RETURNING ${awaited[table] ?? 'NULL::text AS id, 0 AS occurrence'}`, [scope.institutionId, limit]);
}

const files = 'SELECT id FROM files WHERE institution_id = $1 ORDER BY id LIMIT $2';

/** The ids of at most `limit` of the institution's files, in any status. */
export async function listFilesToErase(scope: InstitutionScope, limit: number): Promise<string[]> {
  return (await scope.sql<{ id: string }>(files, [scope.institutionId, limit])).map(({ id }) => id);
}

/** Deletes the rows of files whose bytes are gone; returns how many there were. */
export async function eraseFileRows(scope: InstitutionScope, ids: readonly string[]): Promise<number> {
  return (await scope.sql('DELETE FROM files WHERE institution_id = $1 AND id = ANY ($2::text[]) RETURNING 1', [scope.institutionId, ids])).length;
}

const wallets =
  `UPDATE wallets SET balance_cents = 0, last_number = NULL WHERE user_id = ANY (ARRAY(
     SELECT user_id FROM wallets WHERE institution_id = $1 AND last_number IS NOT NULL LIMIT $2)) RETURNING 1`;

/** Empties at most `limit` wallets, so that their ledger can be deleted; returns how many. */
export async function emptyWallets(scope: InstitutionScope, limit: number): Promise<number> {
  return (await scope.sql(wallets, [scope.institutionId, limit])).length;
}

const allowance =
  "UPDATE allowances SET balance_cents = 0, credited_cents = 0, last_number = NULL, last_move_at = '-infinity' WHERE institution_id = $1 AND last_number IS NOT NULL";

/** Empties the allowance, so that its ledger can be deleted. */
export async function emptyAllowance(scope: InstitutionScope): Promise<void> {
  await scope.sql(allowance, [scope.institutionId]);
}

const lockErasing = 'SELECT 1 FROM institutions WHERE id = $1 AND sandbox_of IS NOT NULL AND erasing_since IS NOT NULL AND read_only_until IS NULL FOR UPDATE';

/** Locks the institution against every new row of it; returns whether it is a sandbox that is being reset. */
export async function lockErasingSandbox(scope: InstitutionScope): Promise<boolean> {
  return (await scope.sql(lockErasing, [scope.institutionId])).length > 0;
}

const erasing = 'SELECT 1 FROM institutions WHERE id = $1 AND erasing_since IS NOT NULL AND (sandbox_of IS NOT NULL OR read_only_until IS NOT NULL) FOR SHARE';

/** Whether the institution is a sandbox that is being reset, or one that has left and is being erased; that stays so until the transaction ends. */
export async function isErasing(scope: InstitutionScope): Promise<boolean> {
  return (await scope.sql(erasing, [scope.institutionId])).length > 0;
}

const leftOver = erasedTables.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE ${ownRows(table)})`).join(' OR ');

/** Whether a row is left in any table that an erasure empties. */
export async function hasRowsToErase(scope: SqlScope): Promise<boolean> {
  const [row] = await scope.sql<{ found: boolean }>(`SELECT ${leftOver} AS found`, [scope.institutionId]);
  return row?.found === true;
}

const begin = statement(
  'sandbox_erasure_begin',
  `UPDATE institutions SET erasing_since = clock_timestamp(), resets = resets + 1, updated_at = $2
    WHERE id = $1 AND sandbox_of IS NOT NULL AND erasing_since IS NULL AND read_only_until IS NULL RETURNING resets`,
);

/** Begins an erasure; returns its number, or undefined if one is under way, or the institution leaves. */
export async function beginErasure(scope: InstitutionScope, now: Date): Promise<number | undefined> {
  const [row] = await scope.sql<{ resets: number }>(begin, [scope.institutionId, now]);
  return row?.resets;
}

const counters = 'UPDATE login_counters SET last_number = 0 WHERE institution_id = $1';
const end =
  `UPDATE institutions s SET config = p.config, unique_student_ids = p.unique_student_ids, time_zone = p.time_zone, clock_offset_ms = 0, erasing_since = NULL, updated_at = $2
     FROM institutions p WHERE s.id = $1 AND p.id = s.sandbox_of`;

/** Ends the erasure of the locked sandbox: counters, clocks and config are those of a new one. */
export async function endErasure(scope: InstitutionScope, now: Date): Promise<void> {
  await scope.sql(counters, [scope.institutionId]);
  await resetEventClock(scope);
  await scope.platform.sql(end, [scope.institutionId, now]);
}

const resets = statement('institution_resets', 'SELECT resets FROM institutions WHERE id = $1');

/** How often the institution was reset: 0 unless it is a sandbox. */
export async function countResets(scope: InstitutionScope): Promise<number> {
  const [row] = await scope.sql<{ resets: number }>(resets, [scope.institutionId]);
  return row?.resets ?? 0;
}
