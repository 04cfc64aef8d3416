import type { InstitutionStatus } from '../../db/entities/institution';
import { findInstitution, type InstitutionRow } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';

/** Returns the institution; `institution_not_approved` unless it is approved. */
export async function requireApproved(tx: Transaction): Promise<InstitutionRow> {
  const institution = await findInstitution(tx);
  if (institution === undefined) throw notFound('institution', { within: 'service' });
  requireStatusApproved(institution.status);
  return institution;
}

/** The same check for an institution that is already loaded. */
export function requireStatusApproved(status: InstitutionStatus): void {
  if (status !== 'approved') throw new DomainError('institution_not_approved', 'The institution is not approved.');
}
