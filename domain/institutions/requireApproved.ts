import type { InstitutionStatus } from '../../db/entities/institution';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { requireInstitution } from './requireInstitution';

/** `institution_not_approved` unless the institution is approved. */
export async function requireApproved(tx: Transaction): Promise<void> {
  requireStatusApproved((await requireInstitution(tx)).status);
}

/** The same check for an institution that is already loaded. */
export function requireStatusApproved(status: InstitutionStatus): void {
  if (status !== 'approved') throw new DomainError('institution_not_approved', 'The institution is not approved.');
}
