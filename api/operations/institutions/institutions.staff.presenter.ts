import type { InstitutionRow } from '../../../db/repositories/institutions/institutions';
import { clockOf } from '../../../domain/clock';
import { presentClock } from '../sandbox/clock.presenter';
import { presentProfile } from './institutions.presenter';
import type { InstitutionResponse } from './institutions.staff.schemas';

/** An institution as the platform API answers it. */
export function presentInstitution(row: InstitutionRow): InstitutionResponse {
  const { created_at, ...profile } = presentProfile(row);
  const { allowance_cents, sandbox_of, clock_offset_ms: offsetMs } = row;
  const clock = sandbox_of === null ? null : presentClock({ now: clockOf(offsetMs).now, offsetMs });
  return { ...profile, allowance_cents, sandbox_of, clock, created_at };
}
