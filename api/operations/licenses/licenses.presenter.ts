import { licenseTypes, licenseStatuses } from '../../../db/entities/license';
import type { LicenseCount, LicenseRow } from '../../../db/repositories/licenses/licenses';
import { licenseStatusAt } from '../../../domain/licenses/expiry';

function presentLicenseUser({ user_id, login_email }: LicenseRow): object | null {
  return user_id === null ? null : { user_id, login_email };
}

/** A license as the API answers it (section License); a license key is never part of it. */
export function presentLicense(row: LicenseRow, now: Date): object {
  return {
    id: row.id,
    license_type: row.license_type,
    status: licenseStatusAt(row.status, row.expires_at, now),
    user: presentLicenseUser(row),
    max_activations: row.max_activations,
    expires_at: row.expires_at?.toISOString() ?? null,
    is_lifetime: row.is_lifetime,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    revoke_reason: row.revoke_reason,
    created_at: row.created_at.toISOString(),
  };
}

const sumField = (counts: readonly LicenseCount[], field: 'count' | 'expiring'): number =>
  counts.reduce((sum, row) => sum + row[field], 0);

const countByStatus = (counts: readonly LicenseCount[]): object =>
  Object.fromEntries(licenseStatuses.map((status) => [status, sumField(counts.filter((row) => row.status === status), 'count')]));

function presentTypeCounts(counts: readonly LicenseCount[]): object {
  return { ...countByStatus(counts), total: sumField(counts, 'count') };
}

/** Counts by type and by status, zeros included. */
export function presentLicenseCounts(counts: readonly LicenseCount[]): object {
  return {
    by_type: Object.fromEntries(licenseTypes.map((type) => [type, presentTypeCounts(counts.filter((row) => row.license_type === type))])),
    by_status: countByStatus(counts),
    total: sumField(counts, 'count'),
  };
}

/** The counts and how many active licenses run out soon (`GET /licenses/summary`). */
export function presentLicenseSummary(counts: readonly LicenseCount[]): object {
  return { ...presentLicenseCounts(counts), expiring_within_30_days: sumField(counts, 'expiring') };
}
