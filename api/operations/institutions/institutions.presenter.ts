import type { IntegrationConfig } from '../../../db/entities/institution';
import type { UserKind, UserStatus } from '../../../db/entities/user';
import type { PeopleCount } from '../../../db/repositories/institutions/profile';
import type { InstitutionRow } from '../../../db/repositories/institutions/institutions';
import type { LicenseCount } from '../../../db/repositories/licenses/licenses';
import { presentLicenseCounts } from '../licenses/licenses.presenter';

function presentPeople(counts: readonly PeopleCount[], kind: UserKind, statuses: readonly UserStatus[]): object {
  const countOf = (status: UserStatus): number => counts.find((row) => row.kind === kind && row.status === status)?.count ?? 0;
  const total = statuses.reduce((sum, status) => sum + countOf(status), 0);
  return { ...Object.fromEntries(statuses.map((status) => [status, countOf(status)])), total };
}

/** The institution's profile with the counts of its people and licenses. */
export function presentInstitution(row: InstitutionRow, people: readonly PeopleCount[], licenses: readonly LicenseCount[]): object {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    login_domain: row.login_domain,
    time_zone: row.time_zone,
    admin: row.admin_id === null ? null : { id: row.admin_id, login_email: row.admin_login_email },
    created_at: row.created_at.toISOString(),
    users: {
      student: presentPeople(people, 'student', ['pending', 'active', 'suspended']),
      faculty: presentPeople(people, 'faculty', ['active', 'suspended']),
    },
    licenses: presentLicenseCounts(licenses),
  };
}

/** The integration config, field by field. */
export function presentConfig(config: IntegrationConfig): object {
  const { default_ai_policy, default_proctoring, allowed_toolchains, toolchain_mirror, lms } = config;
  return { default_ai_policy, default_proctoring, allowed_toolchains, toolchain_mirror, lms };
}
