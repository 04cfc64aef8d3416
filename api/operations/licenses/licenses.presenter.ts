import type { LicenseCount, LicenseRow } from '../../../db/repositories/licenses/licenses';
import { statusAt } from '../../../domain/licenses/expiry';
import { licenseStatuses, licenseTypes } from './licenses.schemas';

function presentCarrier({ user_id, login_email }: LicenseRow): object | null {
  return user_id === null ? null : { user_id, login_email };
}

/** A license as the API answers it (section License); a license key is never part of it. */
export function presentLicense(row: LicenseRow, now: Date): object {
  return {
    id: row.id,
    license_type: row.license_type,
    status: statusAt(row.status, row.expires_at, now),
    user: presentCarrier(row),
    max_activations: row.max_activations,
    expires_at: row.expires_at?.toISOString() ?? null,
    is_lifetime: row.is_lifetime,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    revoke_reason: row.revoke_reason,
    created_at: row.created_at.toISOString(),
  };
}

const sumOf = (counts: readonly LicenseCount[], field: 'count' | 'expiring'): number =>
  counts.reduce((sum, row) => sum + row[field], 0);

const byStatus = (counts: readonly LicenseCount[]): object =>
  Object.fromEntries(licenseStatuses.map((status) => [status, sumOf(counts.filter((row) => row.status === status), 'count')]));

function presentType(counts: readonly LicenseCount[]): object {
  return { ...byStatus(counts), total: sumOf(counts, 'count') };
}

/** Counts by type and by status, zeros included. */
export function presentLicenseCounts(counts: readonly LicenseCount[]): object {
  return {
    by_type: Object.fromEntries(licenseTypes.map((type) => [type, presentType(counts.filter((row) => row.license_type === type))])),
    by_status: byStatus(counts),
    total: sumOf(counts, 'count'),
  };
}

/** The counts and how many active licenses run out soon (`GET /licenses/summary`). */
export function presentLicenseSummary(counts: readonly LicenseCount[]): object {
  return { ...presentLicenseCounts(counts), expiring_within_30_days: sumOf(counts, 'expiring') };
}
