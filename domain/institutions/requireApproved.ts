import type { InstitutionStatus } from '../../db/entities/institution';
import type { InstitutionRow } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { requireInstitution } from './requireInstitution';

/** Returns the institution; `institution_not_approved` unless it is approved. */
export async function requireApproved(tx: Transaction): Promise<InstitutionRow> {
  const institution = await requireInstitution(tx);
  requireStatusApproved(institution.status);
  return institution;
}

/** The same check for an institution that is already loaded. */
export function requireStatusApproved(status: InstitutionStatus): void {
  if (status !== 'approved') throw new DomainError('institution_not_approved', 'The institution is not approved.');
}
