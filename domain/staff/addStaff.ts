import { findStaffIdByEmail, insertStaff, lockStaff, updateStaffRow, type StaffRole, type StaffRow } from '../../db/repositories/staff/staff';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { newId } from '../ids';

/** The fields of a new person of the staff. */
export interface NewStaff {
  name: string;
  email: string;
  role: StaffRole;
}

/**
 * Adds a person to the staff. A revoked person is let in again under the same id, with the name and role sent; what was revoked with
 * them stays so. `already_added` for the email of somebody who is active.
 */
export async function addStaff(tx: Transaction, createdBy: string, { name, email, role }: NewStaff): Promise<StaffRow> {
  const added = await insertStaff(tx.sql, { id: newId('stf'), name, email, role, oidc_issuer: null, oidc_subject: null, created_by: createdBy, created_at: tx.now });
  if (added !== undefined) return added;
  const known = await lockStaff(tx.sql, (await findStaffIdByEmail(tx.sql, email)) ?? '');
  if (known?.email !== email) throw new DomainError('conflict', 'The email was changed at the same time; send the call again.');
  if (known.revoked_at === null) throw new DomainError('already_added', 'This email is of somebody of the staff already.');
  const restored = { ...known, name, role, revoked_at: null, updated_at: tx.now };
  await updateStaffRow(tx.sql, restored, tx.now);
  return restored;
}
