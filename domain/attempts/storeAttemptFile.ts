import type { InstitutionScope } from '../../db/database';
import { countAttemptFiles, insertAttemptFile, type AttemptFileKind } from '../../db/repositories/attempts/files';
import { findOwnAttempt, lockExamOfAttemptForShare, lockOwnAttempt, type AttemptRow } from '../../db/repositories/attempts/attempts';
import type { FileRow } from '../../db/repositories/files/files';
import { touchSubmissionOfAttempt } from '../../db/repositories/submissions/changes';
import type { Caller, Domain, Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import type { SpooledFile } from '../files/fileStore';
import { storeFile } from '../files/storeFile';
import { requireInProgress, requireExamOpen, requireWithinGrace } from './timeRules';

/** Files that an attempt may have, of both kinds together. */
export const maxAttemptFiles = 1_000;

/** Until when an attempt takes a file: what is handed in while it is in progress, a recording as its events. */
const timeChecks: Record<AttemptFileKind, (attempt: AttemptRow, now: Date) => void> = { attachment: requireInProgress, recording: requireWithinGrace };

/** Whose attempt, by its student. */
export interface OwnAttempt {
  attemptId: string;
  studentId: string;
}

async function requireFileCapacity(scope: InstitutionScope, attempt: AttemptRow | undefined, checkTime: (attempt: AttemptRow) => void): Promise<AttemptRow> {
  if (attempt === undefined) throw notFound('attempt');
  checkTime(attempt);
  if ((await countAttemptFiles(scope, attempt.id)) >= maxAttemptFiles) throw new DomainError('conflict', `The attempt has ${maxAttemptFiles} files: it takes no more.`);
  return attempt;
}

/** Says no before an upload is read: `not_found` for an attempt that is not theirs, `conflict` for one that ended over 24 hours ago or has 1,000 files. */
export async function requireAttemptFileCapacity(reads: InstitutionScope, { attemptId, studentId }: OwnAttempt, now: Date): Promise<void> {
  await requireFileCapacity(reads, await findOwnAttempt(reads, attemptId, studentId), (attempt) => requireWithinGrace(attempt, now));
}

/** What a submission tells of its recordings changes when one is there. The attempt is locked: its submission comes before or after. */
async function touchSubmission(tx: Transaction, { attemptId, studentId }: OwnAttempt): Promise<void> {
  const attempt = await lockOwnAttempt(tx, attemptId, studentId);
  if (attempt !== undefined && attempt.ended_at !== null) await touchSubmissionOfAttempt(tx, attempt.id, tx.now);
}

/** `conflict` where the attempt's exam, which is held, takes nothing more: then no submission will name an attachment. */
async function requireExamOpenForAttempt(tx: Transaction, { attemptId, studentId }: OwnAttempt): Promise<void> {
  const exam = await lockExamOfAttemptForShare(tx, attemptId, studentId);
  if (exam === undefined) throw notFound('attempt');
  requireExamOpen(exam, tx.now);
}

/**
 * Keeps an upload as a file of a student's attempt (platform API, POST /app/attempts/{id}/files). Refused like
 * {@link requireAttemptFileCapacity}; `conflict`, too, for an attachment when the attempt is over, or its exam takes nothing more.
 */
export async function storeAttemptFile(domain: Domain, caller: Caller, { attemptId, studentId }: OwnAttempt, kind: AttemptFileKind, spooled: SpooledFile): Promise<FileRow> {
  return storeFile(domain, caller, spooled, {
    write: async (tx, file) => {
      if (kind === 'attachment') await requireExamOpenForAttempt(tx, { attemptId, studentId });
      const attempt = await requireFileCapacity(tx, await lockOwnAttempt(tx, attemptId, studentId), (own) => timeChecks[kind](own, tx.now));
      await insertAttemptFile(tx, { ...file, attempt_id: attempt.id, kind }, tx.now);
    },
    ...(kind === 'recording' ? { whenStored: (tx: Transaction) => touchSubmission(tx, { attemptId, studentId }) } : {}),
    goneError: () => notFound('attempt'),
  });
}
