import type { InstitutionScope } from '../../database';
import { LicenseEntity, type LicenseStatus, type LicenseType } from '../../entities/license';
import { entityManager, ownRow } from '../../entityManager';
import { sumCounts } from '../counts/rowCounts';
import { definedConditions, newestFirst, readPage, type Condition, type Page, type PageOf } from '../../page';
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
  await scope[entityManager].insert(LicenseEntity, { ...license, institutionId: scope.institutionId });
}

/** The columns of a license that commands change. */
export type LicenseChanges = Partial<Pick<LicenseEntity, 'status' | 'expiresAt' | 'revokedAt' | 'revokeReason'>>;

/** Updates a locked license; absent columns stay unchanged. */
export async function updateLicense(scope: InstitutionScope, id: string, changes: LicenseChanges, now: Date): Promise<void> {
  await scope[entityManager].update(LicenseEntity, ownRow(scope, id), { ...changes, updatedAt: now });
}

/** The filters of `GET /licenses`; undefined ones do not restrict. */
export interface LicenseFilter {
  status?: LicenseStatus | undefined;
  /** Exclusive; lifetime licenses never match. */
  expires_before?: Date | undefined;
}

/** Where licenses of a visible status are, and under which conditions: an overdue active license is shown as expired. */
interface ShownLicenses {
  from: string;
  conditions: Condition[];
}

const stored = (status: LicenseStatus): ShownLicenses => ({ from: 'licenses l', conditions: [{ sql: 'l.status = $', value: status }] });

// Each side of the union is read in the list's order by an index of its own, which one condition with OR would not be.
const storedOrOverdue = `(SELECT *, '-infinity'::timestamptz AS shown_since FROM licenses WHERE status = 'expired'
  UNION ALL SELECT *, expires_at AS shown_since FROM licenses WHERE status = 'active') l`;

const shownLicenses: Record<LicenseStatus, (now: Date) => ShownLicenses> = {
  active: (now) => ({ from: 'licenses l', conditions: [...stored('active').conditions, { sql: '(l.expires_at IS NULL OR l.expires_at > $)', value: now }] }),
  expired: (now) => ({ from: storedOrOverdue, conditions: [{ sql: 'l.shown_since <= $', value: now }] }),
  suspended: () => stored('suspended'),
  revoked: () => stored('revoked'),
};

/** One page of the institution's licenses, newest first; the status filter reads as the status shown at `now`. */
export function listLicenses(
  scope: InstitutionScope,
  { status, expires_before }: LicenseFilter,
  now: Date,
  page: Page,
): Promise<PageOf<LicenseRow>> {
  const shown = status === undefined ? { from: 'licenses l', conditions: [] } : shownLicenses[status](now);
  const conditions = definedConditions([
    { sql: 'l.institution_id = $', value: scope.institutionId },
    { sql: 'l.expires_at < $', value: expires_before },
    ...shown.conditions,
  ]);
  const readTotal = async (): Promise<number> => sumCounts(await countLicenses(scope, now), { status });
  const query = { columns, from: shown.from, joins, key: 'l.id', conditions, order: newestFirst('l.created_at', 'l.id') };
  return readPage(scope.sql, { ...query, readTotal: expires_before === undefined ? readTotal : undefined }, page);
}

/** The number of licenses of one type and visible status. */
export interface LicenseCount {
  license_type: LicenseType;
  status: LicenseStatus;
  count: number;
}

// Few are overdue: the sweep marks them as expired.
const shownCounts = `SELECT license_type, status, sum(n)::int AS count FROM (
     SELECT kind AS license_type, status, n FROM row_counts WHERE institution_id = $1 AND counted = 'licenses'
     UNION ALL
     SELECT license_type, unnest(ARRAY['active', 'expired']), unnest(ARRAY[-1, 1]) FROM licenses WHERE institution_id = $1 AND status = 'active' AND expires_at <= $2
   ) AS counted GROUP BY license_type, status HAVING sum(n) <> 0`;

const counts = statement('license_counts', shownCounts);

/** The institution's licenses by type and the status shown at `now`; types and statuses without licenses are left out. */
export function countLicenses(scope: InstitutionScope, now: Date): Promise<LicenseCount[]> {
  return scope.sql(counts, [scope.institutionId, now]);
}

const summary = statement(
  'license_summary',
  `SELECT shown.*, (SELECT count(*)::int FROM licenses WHERE institution_id = $1 AND status = 'active' AND expires_at > $2 AND expires_at <= $3) AS expiring
     FROM (${shownCounts}) AS shown`,
);

/** The same, each with the number of all active licenses that expire by the given time. */
export function countLicensesExpiringBy(scope: InstitutionScope, now: Date, by: Date): Promise<(LicenseCount & { expiring: number })[]> {
  return scope.sql(summary, [scope.institutionId, now, by]);
}
