import { newId } from '../../domain/ids';
import type { StaffRole } from '../../db/repositories/staff/staff';
import type { TestApi } from './api';

/** A person of the staff, with a personal token. */
export interface StaffMember {
  id: string;
  name: string;
  email: string;
  token: string;
  tokenId: string;
}

/** Adds a person to the staff, and creates a personal token of theirs. */
export async function addStaffMember(api: TestApi, role: StaffRole = 'support', name = 'Sam Support'): Promise<StaffMember> {
  const email = `${newId('stf').slice(-12)}@platform.example`;
  const { data: staff } = await api.platform('POST', '/staff', { body: { name, email, role } });
  const { data: token } = await api.platform('POST', `/staff/${staff.id}/tokens`, { body: { name: 'Tests' } });
  return { id: staff.id, name, email, token: token.staff_token, tokenId: token.id };
}
