import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/*
 * What an offboarding writes of the institution itself. A sandbox has no data of its own to keep: it is read-only and erased
 * with its institution.
 */

type SqlScope = Pick<InstitutionScope, 'institutionId' | 'sql'>;

// All of them, in the order of their ids: of two transactions with both rows neither waits for the other.
const lock = statement('leaving_lock', 'SELECT id, sandbox_of, erasing_since IS NOT NULL AS is_erasing FROM institutions WHERE id = $1 OR sandbox_of = $1 ORDER BY id FOR NO KEY UPDATE');

/** An institution or its sandbox under its lock. */
export interface LeavingRow {
  id: string;
  sandbox_of: string | null;
  is_erasing: boolean;
}

/** Locks the institution and its sandbox against every other change; returns them. */
export function lockLeaving(scope: InstitutionScope): Promise<LeavingRow[]> {
  return scope.platform.sql<LeavingRow>(lock, [scope.institutionId]);
}

const readOnly = statement('leaving_read_only', 'UPDATE institutions SET read_only_until = $2, updated_at = $3 WHERE id = $1 OR sandbox_of = $1');

/** Makes the locked institution and its sandbox read-only until a time, or lets them be written again with null. */
export async function setReadOnlyUntil(scope: InstitutionScope, until: Date | null, now: Date): Promise<void> {
  await scope.platform.sql(readOnly, [scope.institutionId, until, now]);
}

const close = statement(
  'leaving_close',
  `UPDATE institutions SET status = 'suspended', suspended_at = coalesce(suspended_at, $2), erasing_since = $2, updated_at = $2
    WHERE (id = $1 OR sandbox_of = $1) AND erasing_since IS NULL`,
);

/** Closes the locked institution and its sandbox for every key and session: their data is being erased. */
export async function closeLeaving(scope: InstitutionScope, now: Date): Promise<void> {
  await scope.platform.sql(close, [scope.institutionId, now]);
}

const owners = statement('leaving_owners', 'SELECT id FROM institutions WHERE (id = $1 OR sandbox_of = $1) AND erasing_since IS NOT NULL AND read_only_until IS NOT NULL ORDER BY sandbox_of IS NULL, id');

/** The ids of the sandbox and of the institution whose data is being erased, in this order; none once they are deleted. */
export async function listErasedInstitutions(scope: InstitutionScope): Promise<string[]> {
  return (await scope.platform.sql<{ id: string }>(owners, [scope.institutionId])).map(({ id }) => id);
}

/** The tables that the reset of a sandbox keeps and an institution's leaving empties after all others. The logs are emptied by a function of the database. */
export const lastTables = [
  'erasures', 'new_address_emails', 'institution_quotas', 'stored_bytes', 'row_counts', 'row_count_checks', 'owed_workflows', 'login_counters', 'event_clocks', 'allowances', 'api_keys',
  'open_workflows',
] as const;
export type LastTable = (typeof lastTables)[number];

/** Deletes at most `limit` of the institution's rows of one of these tables; returns how many. */
export async function eraseLastRows(scope: SqlScope, table: LastTable, limit: number): Promise<number> {
  const chunk = `SELECT ctid FROM ${table} WHERE institution_id = $1 LIMIT $2`;
  return (await scope.sql(`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${chunk})) AND institution_id = $1 RETURNING 1`, [scope.institutionId, limit])).length;
}

const lastLeft = lastTables.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE institution_id = $1)`).join(' OR ');

/** Whether a row is left in any of these tables, or in the logs but for what the platform and its staff did. */
export async function hasLastRows(scope: SqlScope): Promise<boolean> {
  const logs = "EXISTS (SELECT 1 FROM audit_log WHERE institution_id = $1 AND actor_kind NOT IN ('platform', 'staff')) OR EXISTS (SELECT 1 FROM disclosures WHERE institution_id = $1)";
  const [row] = await scope.sql<{ found: boolean }>(`SELECT ${lastLeft} OR ${logs} AS found`, [scope.institutionId]);
  return row?.found === true;
}

/** Rows of the logs that were deleted. */
export interface ForgottenRows {
  audited: number;
  disclosed: number;
}

/** Deletes at most `limit` entries of the institution in the audit log, but for those of the platform and its staff, and as many in the record of disclosures. */
export async function forgetLogs(scope: InstitutionScope, limit: number): Promise<ForgottenRows> {
  const [row] = await scope.platform.sql<ForgottenRows>('SELECT audited, disclosed FROM forget_institution($1, $2)', [scope.institutionId, limit]);
  return row ?? { audited: 0, disclosed: 0 };
}

const remove = 'DELETE FROM institutions WHERE id = $1 AND erasing_since IS NOT NULL AND read_only_until IS NOT NULL';

/** Deletes the locked institution, which has no rows left; the database refuses it while any row references it. */
export async function deleteInstitution(scope: InstitutionScope): Promise<void> {
  await scope.platform.sql(remove, [scope.institutionId]);
}
