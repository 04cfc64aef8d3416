import type { StaffRow } from '../../db/repositories/staff/staff';
import { DomainError, requireFound } from '../errors';

/** Returns a person of the staff; `not_found` if there is none, `conflict` if they are revoked. */
export function requireActiveStaff(row: StaffRow | undefined): StaffRow {
  const staff = requireFound(row, 'person of the staff', { within: 'service' });
  if (staff.revoked_at !== null) throw new DomainError('conflict', 'This person is revoked; add their email again to let them in.');
  return staff;
}
