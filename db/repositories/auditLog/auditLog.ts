import type { InstitutionScope } from '../../database';
import { definedConditions, newestFirst, orderClause, readPage, type Condition, type Page, type PageOf } from '../../page';
import { statement, type Sql } from '../../statement';

/** Who is named as a caller. */
export const actorKinds = ['key', 'platform', 'faculty', 'developer', 'staff', 'system'] as const;
type ActorKind = (typeof actorKinds)[number];

/** An entry of the audit log. */
export interface AuditRow {
  id: string;
  at: Date;
  actor_kind: ActorKind;
  actor_id: string;
  /** Of a person of the staff, as it is now; in {@link listAuditLog} of a key, too. */
  actor_name: string | null;
  operation: string;
  method: string;
  path: string;
  target: Readonly<Record<string, string | null>>;
  changed: string[];
  request_id: string;
}

/** The filters of a list of calls; undefined ones do not restrict. `since` is exclusive, `until` inclusive. */
export interface AuditFilter {
  actor_id?: string | undefined;
  /** Ids of which the call named one in its path, created it, or concerned that person. */
  targets?: readonly string[] | undefined;
  operation?: string | undefined;
  request_id?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

const stored = 'id, at, actor_kind, actor_id, operation, method, path, target, changed, request_id';

/** The name of an actor as it is now: of a key, of a person of the staff, and of an admin or a developer. */
export const nameOfActor = (id = 'actor_id'): string =>
  `coalesce((SELECT s.name FROM staff s WHERE s.id = ${id}), (SELECT k.name FROM api_keys k WHERE k.id = ${id}), (SELECT p.full_name FROM users p WHERE p.id = ${id})) AS actor_name`;

const columns = `${stored}, ${nameOfActor()}`;
const from = 'audit_log';
const order = newestFirst('at', 'id');

const conditionsOf = (filter: AuditFilter): Condition[] =>
  definedConditions([
    { sql: 'actor_id = $', value: filter.actor_id },
    { sql: 'EXISTS (SELECT 1 FROM jsonb_each_text(target) named WHERE named.value = ANY ($))', value: filter.targets },
    { sql: 'operation = $', value: filter.operation },
    { sql: 'request_id = $', value: filter.request_id },
    { sql: 'at > $', value: filter.since },
    { sql: 'at <= $', value: filter.until },
  ]);

/** Returns one page of the institution's calls, newest first. */
export function listAuditLog(scope: InstitutionScope, filter: AuditFilter, page: Page): Promise<PageOf<AuditRow>> {
  const conditions = [{ sql: 'institution_id = $', value: scope.institutionId }, ...conditionsOf(filter)];
  return readPage(scope.sql, { columns, from, key: 'id', conditions, order }, page);
}

/** What is stored of a call that changed something: who made it, when, by which request, of what, and which fields it sent. */
export type AuditedChange = Pick<AuditRow, 'at' | 'actor_kind' | 'actor_id' | 'actor_name' | 'request_id' | 'operation' | 'path' | 'target' | 'changed'>;

/** The columns of an {@link AuditedChange}. */
export const changeColumns = `at, actor_kind, actor_id, ${nameOfActor()}, request_id, operation, path, target, changed`;

const lastChange = statement(
  'audit_last_change',
  `SELECT ${changeColumns} FROM audit_log
    WHERE institution_id = $1 AND operation = ANY ($2::text[]) AND (operation NOT LIKE 'update%' OR $4::text IS NULL OR $4 = ANY (changed))
      AND $3 IN (SELECT value FROM jsonb_each_text(target)) ORDER BY at DESC, id DESC LIMIT 1`,
);

/** Returns the last of some calls about something, with `field` those that update it only if they sent that; undefined if the log has none. */
export async function findLastChange(scope: InstitutionScope, operations: readonly string[], targetId: string, field?: string): Promise<AuditedChange | undefined> {
  const [row] = await scope.sql<AuditedChange>(lastChange, [scope.institutionId, operations, targetId, field ?? null]);
  return row;
}

const closestChange = statement(
  'audit_closest_change',
  `SELECT ${changeColumns} FROM audit_log
    WHERE institution_id = $1 AND operation = ANY ($2::text[]) AND EXISTS (SELECT 1 FROM jsonb_each_text(target) named WHERE named.value = ANY ($3::text[]))
      AND (operation NOT LIKE 'update%' OR $5::text[] IS NULL OR changed && $5)
    ORDER BY abs(extract(epoch FROM at - $4::timestamptz)), id LIMIT 1`,
);

/** Returns that of some calls about some things which was the closest to a time, with `fields` those that update them only if they sent one of these; undefined if the log has none. */
export async function findClosestChange(scope: InstitutionScope, operations: readonly string[], targetIds: readonly string[], time: Date, fields?: readonly string[]): Promise<AuditedChange | undefined> {
  const [row] = await scope.sql<AuditedChange>(closestChange, [scope.institutionId, operations, targetIds, time, fields ?? null]);
  return row;
}

const creations = statement(
  'audit_creations',
  `SELECT ${changeColumns} FROM audit_log WHERE institution_id = $1 AND operation = ANY ($2::text[]) AND target ->> 'created' = ANY ($3::text[]) ORDER BY at, id`,
);

/** Returns the calls of some operations that created these, oldest first. */
export function listCreations(scope: InstitutionScope, operations: readonly string[], created: readonly string[]): Promise<AuditedChange[]> {
  return created.length === 0 ? Promise.resolve([]) : scope.sql<AuditedChange>(creations, [scope.institutionId, operations, created]);
}

const ofPlatform = `(SELECT ${stored} FROM audit_log WHERE institution_id IS NULL) platform_calls`;

/** Returns one page of the calls that belong to no institution, such as those about the staff, newest first. */
export function listPlatformAuditLog(sql: Sql, filter: AuditFilter, page: Page): Promise<PageOf<AuditRow>> {
  return readPage(sql, { columns, from: ofPlatform, key: 'id', conditions: conditionsOf(filter), order }, page);
}

/** A position in the log: a call's time and id. */
export type AuditCursor = Pick<AuditRow, 'at' | 'id'>;

/** One page of the support console's list: its rows, and the position of the next page, if there may be more. */
export interface AuditList {
  rows: AuditRow[];
  next: AuditCursor | undefined;
  /** False if the maximum number of calls was scanned before the page was full. */
  complete: boolean;
}

/** Maximum number of calls that a page scans for a target, which no index has. */
const maxCallsScanned = 20_000;

// Not prepared, so that the plan fits the given filters.
const callsAfter =
  `SELECT ${stored} FROM ${from}
    WHERE institution_id = $1 AND ($2::text IS NULL OR actor_id = $2) AND ($3::text IS NULL OR operation = $3)
      AND ($4::text IS NULL OR request_id = $4) AND ($5::timestamptz IS NULL OR (at, id) < ($5, $6::text))
      AND ($8::timestamptz IS NULL OR at > $8) AND ($9::timestamptz IS NULL OR at <= $9)
    ORDER BY ${orderClause(order)} LIMIT $7`;

const isAboutTarget = 'EXISTS (SELECT 1 FROM jsonb_each_text(target) named WHERE named.value = ANY ($10::text[]))';
const pageAfter = `SELECT ${columns} FROM (${callsAfter}) page ORDER BY ${orderClause(order)}`;
const pageOfTargets = `SELECT ${columns} FROM (${callsAfter}) scanned WHERE ${isAboutTarget} ORDER BY ${orderClause(order)} LIMIT $11`;
const endOfScan = `SELECT at, id FROM (${callsAfter}) scanned ORDER BY ${orderClause(order)} OFFSET $7::int - 1`;

/** Returns at most `limit` of the institution's calls, newest first, after a position. */
export async function listAuditLogAfter(scope: InstitutionScope, filter: AuditFilter, after: AuditCursor | undefined, limit: number): Promise<AuditList> {
  const { actor_id, operation, request_id, since, until, targets } = filter;
  const scan = (scanLimit: number): unknown[] =>
    [scope.institutionId, actor_id ?? null, operation ?? null, request_id ?? null, after?.at ?? null, after?.id ?? null, scanLimit, since ?? null, until ?? null];
  const found = targets === undefined
    ? await scope.sql<AuditRow>(pageAfter, scan(limit + 1))
    : await scope.sql<AuditRow>(pageOfTargets, [...scan(maxCallsScanned), targets, limit + 1]);
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, next: rows.at(-1), complete: true };
  const [end] = targets === undefined ? [] : await scope.sql<AuditCursor>(endOfScan, scan(maxCallsScanned));
  return { rows, next: end, complete: end === undefined };
}

const append = statement('audit_append', 'SELECT append_audit($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10::text[])');

/** Appends what the service has done by itself; calls are appended by the commit of their transactions. */
export async function appendAuditEntry(scope: InstitutionScope, entry: Omit<AuditRow, 'at'>): Promise<void> {
  const { id, actor_kind, actor_id, operation, method, path, target, changed, request_id } = entry;
  await scope.sql(append, [scope.institutionId, id, actor_kind, actor_id, operation, method, path, JSON.stringify(target), request_id, changed]);
}

/** Deletes at most `limit` calls of months that are over 400 days old by the database's clock, and have no partition; returns the number. */
export async function deleteExpiredAuditLog(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<{ forgotten: number }>('SELECT forget_audited($1) AS forgotten', [limit]);
  return row?.forgotten ?? 0;
}
