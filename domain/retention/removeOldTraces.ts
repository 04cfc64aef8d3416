import { appendAuditEntry } from '../../db/repositories/auditLog/auditLog';
import { institutionsWithTraces, listAttemptsWithDetails, listAttemptsWithRecordings, markWithoutDetails, markWithoutRecordings, removeProctoringDetails, removeRecordings } from '../../db/repositories/retention/traces';
import type { Domain, Transaction } from '../context';
import { newId } from '../ids';
import { defaultRetention, readRetention } from './institutionPeriods';
import type { RetentionStep } from './pruneOldEvents';

const dayMs = 86_400_000;

/** Maximum number of attempts in a transaction: one may have hundreds of recorded segments. */
const attemptsWithRecordings = 20;
/** The same of proctoring details, of which an attempt may have 20,000. */
const attemptsWithDetails = 5;
/** Maximum number of attempts in a transaction of which is looked whether they have any. */
const attemptsLookedAt = 5_000;

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs);

/** Appends to the audit log how many of what were removed, of how many attempts; nothing if there were none. */
async function recordRemoval(tx: Transaction, operation: string, attempts: number, removed: number): Promise<void> {
  if (removed === 0) return;
  await appendAuditEntry(tx, {
    id: newId('aud'),
    actor_kind: 'system',
    actor_id: 'retention',
    actor_name: null,
    operation,
    method: 'DELETE',
    path: 'institution-retention',
    target: { attempts: String(attempts), removed: String(removed) },
    changed: [],
    request_id: newId('req'),
  });
}

/**
 * Removes the recordings of one chunk of attempts, and the proctoring details of another, that are older than the institution
 * keeps them. Attempts without any are only marked, by the thousand. Marked attempts are not found again, so the next chunk begins from the start.
 */
export async function removeOldTraces(tx: Transaction): Promise<RetentionStep> {
  const periods = await readRetention(tx);
  const [recordedBefore, proctoredBefore] = [daysBefore(tx.now, periods.recording_days), daysBefore(tx.now, periods.proctoring_days)];
  await markWithoutRecordings(tx, recordedBefore, attemptsLookedAt, tx.now);
  await markWithoutDetails(tx, proctoredBefore, attemptsLookedAt, tx.now);
  const recorded = await listAttemptsWithRecordings(tx, recordedBefore, attemptsWithRecordings);
  const recordings = recorded.length === 0 ? 0 : await removeRecordings(tx, recorded, tx.now);
  await recordRemoval(tx, 'removeRecordings', recorded.length, recordings);
  const proctored = await listAttemptsWithDetails(tx, proctoredBefore, attemptsWithDetails);
  const details = proctored.length === 0 ? 0 : await removeProctoringDetails(tx, proctored, tx.now);
  await recordRemoval(tx, 'removeProctoringDetails', proctored.length, details);
  const more = recorded.length === attemptsWithRecordings || proctored.length === attemptsWithDetails;
  return { removed: recordings + details, kept: 0, next: more ? { createdAtMs: 0, id: '' } : null };
}

/** Returns the next institutions with traces to remove, in the order of their ids, after `afterId` ('' for the first). */
export function institutionsWithOldTraces({ database }: Pick<Domain, 'database'>, now: Date, afterId: string, limit: number): Promise<string[]> {
  return institutionsWithTraces(database.sql, now, defaultRetention, afterId, limit);
}
