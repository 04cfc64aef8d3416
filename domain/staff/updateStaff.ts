import { findStaffIdByEmail, lockStaff, updateStaffRow, type StaffRow } from '../../db/repositories/staff/staff';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import type { NewStaff } from './addStaff';
import { requireActiveStaff } from './requireStaff';

/** Updates name, email or role of a person; the role counts from their next request on. `conflict` for a revoked person, and for an email that another has. */
export async function updateStaff(tx: Transaction, id: string, changes: { [Field in keyof NewStaff]?: NewStaff[Field] | undefined }): Promise<StaffRow> {
  const staff = requireActiveStaff(await lockStaff(tx.sql, id));
  const { name = staff.name, email = staff.email, role = staff.role } = changes;
  const owner = await findStaffIdByEmail(tx.sql, email);
  if (owner !== undefined && owner !== id) throw new DomainError('conflict', 'Somebody else has this email.');
  const updated = { ...staff, name, email, role, updated_at: tx.now };
  await updateStaffRow(tx.sql, updated, tx.now);
  return updated;
}
