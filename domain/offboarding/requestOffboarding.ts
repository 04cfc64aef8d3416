import { institutionScope } from '../../db/database';
import { findOffboarding, insertOffboarding, lockOffboarding, markCancelled, type OffboardingRow } from '../../db/repositories/offboarding/offboardings';
import { lockLeaving, setReadOnlyUntil } from '../../db/repositories/offboarding/institution';
import type { Domain, Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { requireInstitution } from '../institutions/requireInstitution';
import { offboardingWorkflowId } from '../outbox/workflows';
import { sandboxOfSandbox } from '../sandbox/openSandbox';
import { readOnlyMs } from './periods';

/** Transactions that share the rows end after a short time, so that a longer lock timeout lets the call succeed. */
async function lockWithSandbox(tx: Transaction): Promise<void> {
  await tx.sql("SET LOCAL lock_timeout = '20s'");
  const locked = await lockLeaving(tx);
  if (locked.some(({ id, sandbox_of }) => id === tx.institutionId && sandbox_of !== null)) throw sandboxOfSandbox();
  if (locked.some(({ sandbox_of, is_erasing }) => sandbox_of !== null && is_erasing)) throw new DomainError('conflict', 'The sandbox of this institution is being reset; try again when it is done.');
}

const noOffboarding = ['offboarding', { within: 'service' }] as const;

const isOpen = ({ status }: OffboardingRow): boolean => status !== 'cancelled';

/**
 * Makes an institution and its sandbox read-only for 30 days; a workflow emails the admin, writes an archive with everything, and then
 * erases it. Returns the offboarding that is under way as it is. `conflict` for a sandbox, or while the sandbox is being reset.
 */
export async function offboardInstitution(tx: Transaction, reason: string | null): Promise<OffboardingRow> {
  await requireInstitution(tx);
  const before = await findOffboarding(tx);
  if (before !== undefined && isOpen(before)) return before;
  await lockWithSandbox(tx);
  const newest = await findOffboarding(tx);
  if (newest !== undefined && isOpen(newest)) return newest;
  const number = (newest?.number ?? 0) + 1;
  const eraseAfter = new Date(tx.now.getTime() + readOnlyMs);
  await setReadOnlyUntil(tx, eraseAfter, tx.now);
  const { institutionId } = tx;
  tx.startWorkflow('institutionOffboarding', offboardingWorkflowId(institutionId, number), { institutionId, number });
  return insertOffboarding(tx, { number, reason, requestedAt: tx.now, eraseAfter });
}

/**
 * Cancels the offboarding of an institution: it and its sandbox can be written at once, and the archive is deleted. One that was
 * cancelled is returned as it is. `not_found` without one; `conflict` once the erasure has begun.
 */
export async function cancelOffboarding(tx: Transaction): Promise<OffboardingRow> {
  await tx.sql("SET LOCAL lock_timeout = '20s'");
  await lockLeaving(tx);
  const newest = requireFound(await findOffboarding(tx), ...noOffboarding);
  const offboarding = requireFound(await lockOffboarding(tx, newest.number), ...noOffboarding);
  if (offboarding.status === 'cancelled') return offboarding;
  if (offboarding.status !== 'read_only') throw new DomainError('conflict', 'The erasure has begun and cannot be undone.');
  await setReadOnlyUntil(tx, null, tx.now);
  tx.signalWorkflow('look', offboardingWorkflowId(tx.institutionId, offboarding.number), {});
  return markCancelled(tx, offboarding, tx.now);
}

/** Returns the newest offboarding of an institution, which may be erased; `not_found` if there is none, or it is not the caller's own. */
export async function requireOffboarding({ database }: Pick<Domain, 'database'>, institutionId: string, ownId: string | undefined): Promise<OffboardingRow> {
  const isOwn = ownId === undefined || ownId === institutionId;
  return requireFound(isOwn ? await findOffboarding(institutionScope(database, institutionId)) : undefined, ...noOffboarding);
}
