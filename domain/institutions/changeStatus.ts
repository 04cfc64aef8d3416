import type { InstitutionStatus } from '../../db/entities/institution';
import { findInstitution, lockInstitution, updateInstitutionStatus, type InstitutionRow } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { DomainError, noSuch } from '../errors';
import { pauseInstitutionDeliveries } from '../webhooks/pauseEndpoint';
import { resumeInstitutionDeliveries } from '../webhooks/resumeEndpoint';
import { institutionTransitions } from './transitions';

/**
 * Approves an institution, for the first time or again after a suspension: its keys are valid from the next request
 * on, without being reissued, and deliveries held by the suspension go out. An approved one is answered unchanged.
 */
export function approveInstitution(tx: Transaction): Promise<InstitutionRow> {
  return transition(tx, 'approved');
}

/**
 * Suspends an approved institution: every key answers `invalid_api_key` from the next request on (section What the
 * service does, 7). A suspended one is answered unchanged, a pending one is a `conflict`.
 */
export function suspendInstitution(tx: Transaction): Promise<InstitutionRow> {
  return transition(tx, 'suspended');
}

/** Takes the step under the institution's lock; whatever else a step moves, moves here, once and in this transaction. */
async function transition(tx: Transaction, status: InstitutionStatus): Promise<InstitutionRow> {
  // Those who only share the row come and go: whoever must be suspended is, sooner or later.
  await tx.sql("SET LOCAL lock_timeout = '20s'");
  await lockInstitution(tx);
  const institution = await findInstitution(tx);
  if (institution === undefined) throw noSuch('institution');
  if (institution.status === status) return institution;
  if (!institutionTransitions[institution.status].includes(status)) {
    throw new DomainError('conflict', `An institution that is ${institution.status} cannot become ${status}.`);
  }
  const suspendedAt = status === 'suspended' ? tx.now : null;
  await updateInstitutionStatus(tx, { status, suspendedAt }, tx.now);
  if (institution.suspended_at !== null) await resumeInstitutionDeliveries(tx);
  if (status === 'suspended') await pauseInstitutionDeliveries(tx);
  return { ...institution, status };
}
