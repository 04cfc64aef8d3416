import type { IntegrationConfig } from '../../../db/entities/institution';
import type { UserKind, UserStatus } from '../../../db/entities/user';
import type { PeopleCount } from '../../../db/repositories/institutions/profile';
import type { InstitutionRow } from '../../../db/repositories/institutions/institutions';
import type { LicenseCount } from '../../../db/repositories/licenses/licenses';
import { presentLicenseCounts, withTotal } from '../licenses/licenses.presenter';
import type { InstitutionResponse, ConfigResponse } from './institutions.schemas';

/** The fields that every API shows of an institution; the admin's own address never leaves. */
export function presentProfile(row: InstitutionRow): Omit<InstitutionResponse, 'users' | 'licenses'> {
  const { id, name, status, login_domain, time_zone, admin_id, admin_login_email, created_at } = row;
  const admin = admin_id === null || admin_login_email === null ? null : { id: admin_id, login_email: admin_login_email };
  return { id, name, status, login_domain, time_zone, admin, created_at: created_at.toISOString() };
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
  return { ...presentProfile(row), users: presentPeople(people), licenses: presentLicenseCounts(licenses) };
}

/** The integration config, field by field. */
export function presentConfig(config: IntegrationConfig): ConfigResponse {
  const { default_ai_policy, default_proctoring, allowed_toolchains, toolchain_mirror, lms, unique_student_ids, require_enrolment_code } = config;
  return { default_ai_policy, default_proctoring, allowed_toolchains, toolchain_mirror, lms, unique_student_ids, require_enrolment_code };
}
