import type { InstitutionRow } from '../../../db/repositories/institutions/institutions';
import { presentProfile } from './institutions.presenter';
import type { InstitutionResponse } from './institutions.staff.schemas';

/** An institution as the platform API answers it. */
export function presentInstitution(row: InstitutionRow): InstitutionResponse {
  const { created_at, ...profile } = presentProfile(row);
  return { ...profile, allowance_cents: row.allowance_cents, created_at };
}
