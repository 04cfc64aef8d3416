import type { InstitutionScope } from '../../database';
import { LicenseEntity, type LicenseStatus, type LicenseType } from '../../entities/license';
import { entityManager, ownRow } from '../../entityManager';
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

/** The conditions under which a license has a visible status at a time: an overdue active license is shown as expired. */
const statusConditions: Record<LicenseStatus, (now: Date) => Condition[]> = {
  active: (now) => [
    { sql: 'l.status = $', value: 'active' },
    { sql: '(l.expires_at IS NULL OR l.expires_at > $)', value: now },
  ],
  expired: (now) => [{ sql: "(l.status = 'expired' OR l.status = 'active' AND l.expires_at <= $)", value: now }],
  suspended: () => [{ sql: 'l.status = $', value: 'suspended' }],
  revoked: () => [{ sql: 'l.status = $', value: 'revoked' }],
};

/** One page of the institution's licenses, newest first; the status filter reads as the status shown at `now`. */
export function listLicenses(
  scope: InstitutionScope,
  { status, expires_before }: LicenseFilter,
  now: Date,
  page: Page,
): Promise<PageOf<LicenseRow>> {
  const conditions = definedConditions([
    { sql: 'l.institution_id = $', value: scope.institutionId },
    { sql: 'l.expires_at < $', value: expires_before },
    ...(status === undefined ? [] : statusConditions[status](now)),
  ]);
  return readPage(scope.sql, { columns, from: 'licenses l', joins, key: 'l.id', conditions, order: newestFirst('l.created_at', 'l.id') }, page);
}

/** The number of licenses of one type and visible status, and how many of them expire by the given time. */
export interface LicenseCount {
  license_type: LicenseType;
  status: LicenseStatus;
  count: number;
  expiring: number;
}

const counts = statement(
  'license_counts',
  `SELECT license_type, CASE WHEN status = 'active' AND expires_at <= $2 THEN 'expired' ELSE status END AS status, count(*)::int AS count,
          (count(*) FILTER (WHERE status = 'active' AND expires_at > $2 AND expires_at <= $3))::int AS expiring
     FROM licenses WHERE institution_id = $1
    GROUP BY 1, 2`,
);

/** The institution's licenses by type and the status shown at `now`; types and statuses without licenses are left out. */
export function countLicenses(scope: InstitutionScope, now: Date, expiringBy: Date): Promise<LicenseCount[]> {
  return scope.sql(counts, [scope.institutionId, now, expiringBy]);
}
