import { findStaffIdByEmail } from '../db/repositories/staff/staff';
import type { ConsoleRequest } from './consoleRequest';

/** Returns the id of the person of the staff with an email, to those who may know it: to operators, and of their own to everybody; undefined for any other text. */
export async function findVisibleStaffId({ deps, staff }: ConsoleRequest, text: string): Promise<string | undefined> {
  if (!text.includes('@')) return undefined;
  const id = await findStaffIdByEmail(deps.domain.database.sql, text.toLowerCase());
  return staff.role === 'operator' || id === staff.id ? id : undefined;
}
