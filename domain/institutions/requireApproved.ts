import type { InstitutionStatus } from '../../db/entities/institution';
import { findInstitution } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';

/** `institution_not_approved` unless the institution is approved. */
export async function requireApproved(tx: Transaction): Promise<void> {
  const institution = await findInstitution(tx);
  if (institution === undefined) throw notFound('institution', { within: 'service' });
  requireStatusApproved(institution.status);
}

/** The same check for an institution that is already loaded. */
export function requireStatusApproved(status: InstitutionStatus): void {
  if (status !== 'approved') throw new DomainError('institution_not_approved', 'The institution is not approved.');
}
