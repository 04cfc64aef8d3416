import type { InstitutionStatus } from '../../db/entities/institution';
import { lockInstitution, updateInstitutionStatus, type InstitutionRow } from '../../db/repositories/institutions/institutions';
import { isErasing } from '../../db/repositories/sandbox/erasure';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { lockSandbox, sandboxOfSandbox } from '../sandbox/openSandbox';
import { shouldTransition } from '../transitions';
import { pauseInstitutionDeliveries } from '../webhooks/pauseEndpoint';
import { resumeInstitutionDeliveries } from '../webhooks/resumeEndpoint';
import { requireInstitution } from './requireInstitution';
import { institutionTransitions } from './transitions';

/**
 * Approves an institution, for the first time or after a suspension: its keys are valid from the next request on, without
 * being reissued, and deliveries held by the suspension are released. No-op if unchanged.
 */
export function approveInstitution(tx: Transaction): Promise<InstitutionRow> {
  return transition(tx, 'approved');
}

/**
 * Suspends an approved institution: every key fails with `invalid_api_key` from the next request on (section What the
 * service does, 7). No-op if unchanged; `conflict` for a pending one.
 */
export function suspendInstitution(tx: Transaction): Promise<InstitutionRow> {
  return transition(tx, 'suspended');
}

/** Changes the status under the institution's lock, with everything that depends on it and its sandbox, in this transaction; `conflict` for a sandbox itself. */
async function transition(tx: Transaction, status: InstitutionStatus): Promise<InstitutionRow> {
  // Transactions that share the row end after a short time, so that a longer lock timeout lets the suspension succeed.
  await tx.sql("SET LOCAL lock_timeout = '20s'");
  await lockInstitution(tx);
  const institution = await requireInstitution(tx);
  if (institution.sandbox_of !== null) throw sandboxOfSandbox();
  if (await isErasing(tx)) throw new DomainError('conflict', 'The data of this institution is being erased; its status cannot change any more.');
  const conflictMessage = `An institution that is ${institution.status} cannot become ${status}.`;
  if (!shouldTransition(institutionTransitions, institution.status, status, conflictMessage)) return institution;
  await writeStatus(tx, institution, status);
  const sandbox = await lockSandbox(tx);
  if (sandbox !== undefined) await writeStatus(sandbox, institution, status);
  return { ...institution, status };
}

/** Writes the status of a locked institution, and holds or releases its deliveries. A sandbox has always the status of its institution. */
async function writeStatus(tx: Transaction, { suspended_at }: Pick<InstitutionRow, 'suspended_at'>, status: InstitutionStatus): Promise<void> {
  await updateInstitutionStatus(tx, { status, suspendedAt: status === 'suspended' ? tx.now : null }, tx.now);
  if (suspended_at !== null) await resumeInstitutionDeliveries(tx);
  if (status === 'suspended') await pauseInstitutionDeliveries(tx);
}
