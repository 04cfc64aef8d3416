import type { LicenseStatus, LicenseType } from '../../../db/entities/license';
import type { LicenseCount, LicenseRow } from '../../../db/repositories/licenses/licenses';
import { licenseStatusAt } from '../../../domain/licenses/expiry';
import { isoOrNull } from '../../http/request/fields';
import type { LicenseResponse, LicenseSummaryResponse } from './licenses.schemas';

function presentLicenseUser({ user_id, login_email }: LicenseRow): LicenseResponse['user'] {
  return user_id === null || login_email === null ? null : { user_id, login_email };
}

/** A license (section License); never with its license key. */
export function presentLicense(row: LicenseRow, now: Date): LicenseResponse {
  return {
    id: row.id,
    license_type: row.license_type,
    status: licenseStatusAt(row.status, row.expires_at, now),
    user: presentLicenseUser(row),
    max_activations: row.max_activations,
    expires_at: isoOrNull(row.expires_at),
    is_lifetime: row.is_lifetime,
    revoked_at: isoOrNull(row.revoked_at),
    revoke_reason: row.revoke_reason,
    created_at: row.created_at.toISOString(),
  };
}

const sumOf = (counts: readonly LicenseCount[]): number => counts.reduce((sum, { count }) => sum + count, 0);

/** Counts with their sum as `total`. */
export const withTotal = <Counts extends Record<string, number>>(counts: Counts): Counts & { total: number } => ({
  ...counts,
  total: Object.values(counts).reduce((sum, count) => sum + count, 0),
});

function countByStatus(counts: readonly LicenseCount[]): Record<LicenseStatus, number> {
  const countOf = (status: LicenseStatus): number => sumOf(counts.filter((row) => row.status === status));
  return { active: countOf('active'), expired: countOf('expired'), suspended: countOf('suspended'), revoked: countOf('revoked') };
}

/** Counts by type and by status, zeros included. */
export function presentLicenseCounts(counts: readonly LicenseCount[]): Omit<LicenseSummaryResponse, 'expiring_within_30_days'> {
  const countType = (type: LicenseType): Record<LicenseStatus | 'total', number> => withTotal(countByStatus(counts.filter((row) => row.license_type === type)));
  return {
    by_type: { student: countType('student'), faculty: countType('faculty'), institution: countType('institution') },
    by_status: countByStatus(counts),
    total: sumOf(counts),
  };
}

/** The counts, and how many active licenses expire soon (`GET /licenses/summary`). */
export function presentLicenseSummary({ counts, expiring }: { counts: readonly LicenseCount[]; expiring: number }): LicenseSummaryResponse {
  return { ...presentLicenseCounts(counts), expiring_within_30_days: expiring };
}
