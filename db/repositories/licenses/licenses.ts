import type { InstitutionScope } from '../../database';
import { LicenseEntity, type LicenseStatus, type LicenseType } from '../../entities/license';
import { entityManager, ownRow } from '../../entityManager';
import { sumCounts } from '../counts/rowCounts';
import { definedConditions, newestFirst, readPage, type Condition, type Page, type PageOf, type Part } from '../../page';
import { statement } from '../../statement';

/** A license with the login email of its person; an institution license has no person. */
export interface LicenseRow {
  id: string;
  license_type: LicenseType;
  status: LicenseStatus;
  user_id: string | null;
  login_email: string | null;
  max_activations: number;
  expires_at: Date | null;
  is_lifetime: boolean;
  revoked_at: Date | null;
  revoke_reason: string | null;
  created_at: Date;
}

const columns = `l.id, l.license_type, l.status, l.user_id, e.login_email, l.max_activations, l.expires_at, l.is_lifetime,
  l.revoked_at, l.revoke_reason, l.created_at`;

const joins = 'LEFT JOIN institution_emails e ON e.user_id = l.user_id';

const byId = statement('license_by_id', `SELECT ${columns} FROM licenses l ${joins} WHERE l.institution_id = $1 AND l.id = $2`);

/** A license of the institution. */
export async function findLicense(scope: InstitutionScope, id: string): Promise<LicenseRow | undefined> {
  const [row] = await scope.sql<LicenseRow>(byId, [scope.institutionId, id]);
  return row;
}

const lockById = statement('license_lock', `${byId.text} FOR NO KEY UPDATE OF l`);

/** The same inside a transaction: locks the license's row and reads it under the lock. */
export async function lockLicense(scope: InstitutionScope, id: string): Promise<LicenseRow | undefined> {
  const [row] = await scope.sql<LicenseRow>(lockById, [scope.institutionId, id]);
  return row;
}

/** Writes a new license of the institution. */
export async function insertLicense(scope: InstitutionScope, license: Omit<LicenseEntity, 'institutionId'>): Promise<void> {
  await scope[entityManager]((manager) => manager.insert(LicenseEntity, { ...license, institutionId: scope.institutionId }));
}

/** The columns of a license that commands change. */
export type LicenseChanges = Partial<Pick<LicenseEntity, 'status' | 'expiresAt' | 'revokedAt' | 'revokeReason'>>;

/** Updates a locked license; absent columns stay unchanged. */
export async function updateLicense(scope: InstitutionScope, id: string, changes: LicenseChanges, now: Date): Promise<void> {
  await scope[entityManager]((manager) => manager.update(LicenseEntity, ownRow(scope, id), { ...changes, updatedAt: now }));
}

/** The filters of `GET /licenses`; undefined ones do not restrict. */
export interface LicenseFilter {
  status?: LicenseStatus | undefined;
  /** Exclusive; lifetime licenses never match. */
  expires_before?: Date | undefined;
}

const storedAs = (status: LicenseStatus): Condition => ({ sql: 'l.status = $', value: status });

/** The licenses that have a visible status at a time, in parts of one stored status: an overdue active license is shown as expired. */
const shownParts: Record<LicenseStatus, (now: Date) => Part[]> = {
  active: (now) => [{ conditions: [storedAs('active'), { sql: '(l.expires_at IS NULL OR l.expires_at > $)', value: now }] }],
  // Few are overdue: the sweep marks them as expired.
  expired: (now) => [{ conditions: [storedAs('expired')] }, { conditions: [storedAs('active'), { sql: 'l.expires_at <= $', value: now }], isSorted: true }],
  suspended: () => [{ conditions: [storedAs('suspended')] }],
  revoked: () => [{ conditions: [storedAs('revoked')] }],
};

/** Licenses that expire before a time are mostly old ones, at the end of the list. */
const maxSorted = 250_000;

/** How many licenses the filters leave, by the sums that are kept for one filter; undefined for both, and they are counted. */
function licenseTotal(scope: InstitutionScope, { status, expires_before }: LicenseFilter, now: Date): (() => Promise<number>) | undefined {
  if (expires_before === undefined) return async () => sumCounts(await countLicenses(scope, now), { status });
  return status === undefined ? () => countExpiringBefore(scope, expires_before) : undefined;
}

/** One page of the institution's licenses, newest first; the status filter reads as the status shown at `now`. */
export function listLicenses(scope: InstitutionScope, filter: LicenseFilter, now: Date, page: Page): Promise<PageOf<LicenseRow>> {
  const { status, expires_before } = filter;
  const parts = status === undefined ? undefined : shownParts[status](now);
  const conditions = definedConditions([
    { sql: 'l.institution_id = $', value: scope.institutionId },
    { sql: 'l.expires_at < $', value: expires_before },
  ]);
  const query = { columns, from: 'licenses l', joins, key: 'l.id', conditions, parts, order: newestFirst('l.created_at', 'l.id') };
  return readPage(scope.sql, { ...query, readTotal: licenseTotal(scope, filter, now), maxSorted: expires_before === undefined ? 0 : maxSorted }, page);
}

/** The number of licenses of one type and visible status. */
export interface LicenseCount {
  license_type: LicenseType;
  status: LicenseStatus;
  count: number;
}

const hour = (parameter: string): string => `date_bin('1 hour', ${parameter}::timestamptz, '2000-01-01Z')`;
const hourlyCounts = "row_counts WHERE institution_id = $1 AND counted = 'licenses'";
const activeUntil = "licenses WHERE institution_id = $1 AND status = 'active'";

// By the hours that are over; of the hour that is not, the licenses themselves are counted.
const shownCounts = `SELECT license_type, status, sum(n)::int AS count FROM (
     SELECT kind AS license_type, CASE WHEN status = 'active' AND expiry_hour < ${hour('$2')} THEN 'expired' ELSE status END AS status, n FROM ${hourlyCounts}
     UNION ALL
     SELECT license_type, unnest(ARRAY['active', 'expired']), unnest(ARRAY[-1, 1]) FROM ${activeUntil} AND expires_at >= ${hour('$2')} AND expires_at <= $2
   ) AS counted GROUP BY license_type, status HAVING sum(n) <> 0`;

const counts = statement('license_counts', shownCounts);

/** The institution's licenses by type and the status shown at `now`; types and statuses without licenses are left out. */
export function countLicenses(scope: InstitutionScope, now: Date): Promise<LicenseCount[]> {
  return scope.sql(counts, [scope.institutionId, now]);
}

/** The number of active licenses that expire by a time, itself included. */
const activeBy = (parameter: string): string =>
  `(SELECT coalesce(sum(n), 0) FROM ${hourlyCounts} AND status = 'active' AND expiry_hour < ${hour(parameter)})
   + (SELECT count(*) FROM ${activeUntil} AND expires_at >= ${hour(parameter)} AND expires_at <= ${parameter})`;

const summary = statement(
  'license_summary',
  `SELECT shown.*, (${activeBy('$3')} - (${activeBy('$2')}))::int AS expiring FROM (${shownCounts}) AS shown`,
);

/** The same, each with the number of all active licenses that expire by the given time. */
export function countLicensesExpiringBy(scope: InstitutionScope, now: Date, by: Date): Promise<(LicenseCount & { expiring: number })[]> {
  return scope.sql(summary, [scope.institutionId, now, by]);
}

const before = statement(
  'licenses_before',
  `SELECT ((SELECT coalesce(sum(n), 0) FROM ${hourlyCounts} AND expiry_hour < ${hour('$2')})
     + (SELECT count(*) FROM licenses WHERE institution_id = $1 AND expires_at >= ${hour('$2')} AND expires_at < $2))::int AS count`,
);

/** The number of the institution's licenses that expire before a time. */
async function countExpiringBefore(scope: InstitutionScope, time: Date): Promise<number> {
  const [row] = await scope.sql<{ count: number }>(before, [scope.institutionId, time]);
  return row?.count ?? 0;
}
