import type { InstitutionScope } from '../../database';
import { InstitutionEntity, type InstitutionStatus, type StoredConfig } from '../../entities/institution';
import { entityManager } from '../../entityManager';
import { folded } from '../../folded';
import { definedConditions, likePattern, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement, type Sql } from '../../statement';

/** An institution with its admin, as one row. */
export interface InstitutionRow {
  id: string;
  name: string;
  status: InstitutionStatus;
  login_domain: string;
  time_zone: string;
  allowance_cents: number;
  suspended_at: Date | null;
  created_at: Date;
  /** The institution whose sandbox this is; null for any other. */
  sandbox_of: string | null;
  /** How far its clock is ahead, in ms; 0 but in a sandbox. */
  clock_offset_ms: number;
  admin_id: string | null;
  admin_login_email: string | null;
}

const columns = `i.id, i.name, i.status, i.login_domain, i.time_zone, w.balance_cents::float8 AS allowance_cents, i.suspended_at, i.created_at, i.sandbox_of,
  i.clock_offset_ms::float8 AS clock_offset_ms, a.id AS admin_id, e.login_email AS admin_login_email`;

const from = `institutions i JOIN allowances w ON w.institution_id = i.id LEFT JOIN users a ON a.institution_id = i.id AND a.is_admin
  LEFT JOIN institution_emails e ON e.user_id = a.id`;

const own = statement('institution_own', `SELECT ${columns} FROM ${from} WHERE i.id = $1`);

/** Returns the scope's institution; undefined if it does not exist. */
export async function findInstitution(scope: InstitutionScope): Promise<InstitutionRow | undefined> {
  const [row] = await scope.sql<InstitutionRow>(own, [scope.institutionId]);
  return row;
}

/** Which institutions are listed. */
export interface InstitutionFilter {
  /** Part of the name, in upper or lower case, with or without accents. */
  name?: string | undefined;
}

/** Returns one page of all institutions, newest first: for the platform only. */
export function listInstitutions(sql: Sql, { name }: InstitutionFilter, page: Page): Promise<PageOf<InstitutionRow>> {
  const conditions = definedConditions([{ sql: `${folded('i.name')} LIKE ${folded('$')}`, value: name === undefined ? undefined : likePattern(name) }]);
  return readPage(sql, { columns, from, conditions, order: newestFirst('i.created_at', 'i.id') }, page);
}

const clockOffset = statement('institution_clock_offset', 'SELECT clock_offset_ms::float8 AS ms FROM institutions WHERE id = $1');

/** How far the clock of an institution is ahead, in ms: 0 unless it is a sandbox; undefined if there is no institution of that id. */
export async function findClockOffset(sql: Sql, id: string): Promise<number | undefined> {
  const [row] = await sql<{ ms: number }>(clockOffset, [id]);
  return row?.ms;
}

const timeZone = statement('institution_time_zone', 'SELECT time_zone FROM institutions WHERE id = $1');

/** The IANA name of the time zone in which the institution's days begin. */
export async function readTimeZone(scope: InstitutionScope): Promise<string> {
  const [row] = await scope.sql<{ time_zone: string }>(timeZone, [scope.institutionId]);
  if (row === undefined) throw new Error('There is no such institution');
  return row.time_zone;
}

/** A new institution, with its complete config. */
export interface NewInstitutionRow {
  name: string;
  status: InstitutionStatus;
  loginDomain: string;
  timeZone: string;
  config: StoredConfig;
  now: Date;
}

const insert = statement(
  'institution_open',
  `WITH institution AS (
     INSERT INTO institutions (id, name, status, login_domain, time_zone, config, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
   ), counters AS (
     INSERT INTO login_counters (institution_id, kind) VALUES ($1, 'student'), ($1, 'faculty')
   ), allowance AS (
     INSERT INTO allowances (institution_id) VALUES ($1)
   )
   INSERT INTO event_clocks (institution_id) VALUES ($1)`,
);

/** Inserts the scope's institution with its login counters, its event clock and an empty allowance. */
export async function insertInstitution(scope: InstitutionScope, row: NewInstitutionRow): Promise<void> {
  const { name, status, loginDomain, timeZone, config, now } = row;
  await scope.sql(insert, [scope.institutionId, name, status, loginDomain, timeZone, JSON.stringify(config), now]);
}

/** Updates the status of the scope's locked institution, and since when it is suspended. */
export async function updateInstitutionStatus(scope: InstitutionScope, changes: Pick<InstitutionEntity, 'status' | 'suspendedAt'>, now: Date): Promise<void> {
  await scope[entityManager]((manager) => manager.update(InstitutionEntity, { id: scope.institutionId }, { ...changes, updatedAt: now }));
}

const lock = statement('institution_lock', 'SELECT 1 FROM institutions WHERE id = $1 FOR NO KEY UPDATE');

/** Locks the institution's row: resources of an institution are counted against a limit under this lock. */
export async function lockInstitution(scope: InstitutionScope): Promise<void> {
  await scope.sql(lock, [scope.institutionId]);
}
