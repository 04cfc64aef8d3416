import type { IntegrationConfig } from '../../../db/entities/institution';
import type { UserKind, UserStatus } from '../../../db/entities/user';
import type { PeopleCount } from '../../../db/repositories/institutions/profile';
import type { InstitutionRow } from '../../../db/repositories/institutions/institutions';
import type { LicenseCount } from '../../../db/repositories/licenses/licenses';
import { presentLicenseCounts, withTotal } from '../licenses/licenses.presenter';
import type { InstitutionResponse, ConfigResponse } from './institutions.schemas';

/** Returns the institution admin from the columns of an institution's row. */
export function presentAdmin({ admin_id: id, admin_login_email: email }: InstitutionRow): InstitutionResponse['admin'] {
  return id === null || email === null ? null : { id, login_email: email };
}

function presentPeople(counts: readonly PeopleCount[]): InstitutionResponse['users'] {
  const countOf = (kind: UserKind, status: UserStatus): number => counts.find((row) => row.kind === kind && row.status === status)?.count ?? 0;
  return {
    student: withTotal({ pending: countOf('student', 'pending'), active: countOf('student', 'active'), suspended: countOf('student', 'suspended') }),
    faculty: withTotal({ active: countOf('faculty', 'active'), suspended: countOf('faculty', 'suspended') }),
  };
}

/** The institution's profile with the counts of its people and licenses. */
export function presentInstitution(row: InstitutionRow, people: readonly PeopleCount[], licenses: readonly LicenseCount[]): InstitutionResponse {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    login_domain: row.login_domain,
    time_zone: row.time_zone,
    admin: presentAdmin(row),
    created_at: row.created_at.toISOString(),
    users: presentPeople(people),
    licenses: presentLicenseCounts(licenses),
  };
}

/** The integration config, field by field. */
export function presentConfig(config: IntegrationConfig): ConfigResponse {
  const { default_ai_policy, default_proctoring, allowed_toolchains, toolchain_mirror, lms } = config;
  return { default_ai_policy, default_proctoring, allowed_toolchains, toolchain_mirror, lms };
}
