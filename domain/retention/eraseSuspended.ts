import { institutionScope } from '../../db/database';
import { institutionsWithSuspended, listSuspended, lockSuspended, type SuspendedRow } from '../../db/repositories/retention/suspended';
import { eraseFaculty, eraseStudent } from '../erasure/requestErasure';
import type { Domain, Transaction } from '../context';
import { newId } from '../ids';
import { transact } from '../transact';
import { readRetention } from './institutionPeriods';
import type { RetentionStep } from './pruneOldEvents';

const dayMs = 86_400_000;

/** Maximum number of people of an institution whose erasure a run begins: each is a workflow that searches the institution's events. */
const peoplePerRun = 100;

/** Rolls the transaction back, so that the audit log has nothing of it. */
class ReactivatedMeanwhile extends Error {
  override readonly name = 'ReactivatedMeanwhile';
}

const erase: Record<SuspendedRow['kind'], (tx: Transaction, id: string) => Promise<unknown>> = { student: eraseStudent, faculty: eraseFaculty };

/**
 * Begins the erasure of up to 100 people who are suspended for longer than the institution keeps them, each in a transaction with its
 * entry of the audit log. Those who were reactivated meanwhile are left. People who cannot be erased do not keep others from
 * it; the first such error is thrown at the end.
 */
export async function eraseSuspended(domain: Domain, institutionId: string, now: Date): Promise<RetentionStep> {
  const scope = institutionScope(domain.database, institutionId);
  const { suspended_days: days } = await readRetention(scope);
  if (days === null) return { removed: 0, kept: 0, next: null };
  const before = new Date(now.getTime() - days * dayMs);
  let removed = 0;
  const failures: unknown[] = [];
  for (const { id, kind } of await listSuspended(scope, before, peoplePerRun)) {
    const operation = { id: 'eraseSuspendedPerson', method: 'DELETE', path: 'institution-retention', target: { id }, changed: [] };
    removed += await transact(domain, { institutionId, now, actor: { kind: 'system', id: 'retention' }, requestId: newId('req'), operation }, async (tx) => {
      if (!(await lockSuspended(tx, id, before))) throw new ReactivatedMeanwhile();
      await erase[kind](tx, id);
      return 1;
    }).catch((error: unknown) => {
      if (!(error instanceof ReactivatedMeanwhile)) failures.push(error);
      return 0;
    });
  }
  if (failures.length > 0) throw failures[0];
  return { removed, kept: 0, next: null };
}

/** Returns the next institutions with people to erase, in the order of their ids, after `afterId` ('' for the first). */
export const institutionsWithSuspendedPeople = ({ database }: Pick<Domain, 'database'>, now: Date, afterId: string, limit: number): Promise<string[]> =>
  institutionsWithSuspended(database.sql, now, afterId, limit);
