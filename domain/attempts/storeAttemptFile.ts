import type { InstitutionScope } from '../../db/database';
import { countAttemptFiles, insertAttemptFile, type AttemptFileKind } from '../../db/repositories/attempts/files';
import { findOwnAttempt, lockExamOfAttemptForShare, lockOwnAttempt, type AttemptRow } from '../../db/repositories/attempts/attempts';
import { touchSubmissionOfAttempt } from '../../db/repositories/submissions/changes';
import type { Caller, Domain, Transaction } from '../context';
import { DomainError, notFound, requireFound } from '../errors';
import type { SpooledFile } from '../files/fileStore';
import { storeFile, type CommitFile, type FileOwner } from '../files/storeFile';
import { lockStudentForUpload, requireAttemptQuotas, requireRoomForUpload } from '../quotas/requireQuota';
import { requireInProgress, requireExamOpen, requireWithinGrace } from './timeRules';

/** Maximum number of files of an attempt, of both kinds together. */
export const maxAttemptFiles = 1_000;

/** Until when an attempt accepts a file: attachments while it is in progress, recordings as long as events. */
const timeChecks: Record<AttemptFileKind, (attempt: AttemptRow, now: Date) => void> = { attachment: requireInProgress, recording: requireWithinGrace };

/** An attempt, and the student it must belong to. */
export interface OwnAttempt {
  attemptId: string;
  studentId: string;
}

async function requireFileCapacity(scope: InstitutionScope, attempt: AttemptRow | undefined, checkTime: (attempt: AttemptRow) => void): Promise<AttemptRow> {
  if (attempt === undefined) throw notFound('attempt');
  checkTime(attempt);
  if ((await countAttemptFiles(scope, attempt.id)) >= maxAttemptFiles) throw new DomainError('conflict', `An attempt can have at most ${maxAttemptFiles} files.`);
  return attempt;
}

/**
 * Rejects an upload before it is read: `not_found` for an attempt of another student, `conflict` for one that ended over 24
 * hours ago or has 1,000 files, `file_too_large` if a quota is used up.
 */
export async function requireAttemptFileCapacity(reads: InstitutionScope, own: OwnAttempt, now: Date): Promise<void> {
  await requireFileCapacity(reads, await findOwnAttempt(reads, own.attemptId, own.studentId), (attempt) => requireWithinGrace(attempt, now));
  await requireRoomForUpload(reads, own);
}

/** Updates the last change of the attempt's submission, which lists the new recording. The attempt is locked, so the submission is committed before or after. */
async function touchSubmission(tx: Transaction, { attemptId, studentId }: OwnAttempt): Promise<void> {
  const attempt = await lockOwnAttempt(tx, attemptId, studentId);
  if (attempt !== undefined && attempt.ended_at !== null) await touchSubmissionOfAttempt(tx, attempt.id, tx.now);
}

/** `conflict` if the attempt's locked exam accepts no more submissions: no submission could name the attachment. */
async function requireExamOpenForAttempt(tx: Transaction, { attemptId, studentId }: OwnAttempt): Promise<void> {
  const exam = requireFound(await lockExamOfAttemptForShare(tx, attemptId, studentId), 'attempt');
  requireExamOpen(exam, tx.now);
}

/**
 * Stores an upload as a file of a student's attempt (platform API, POST /app/attempts/{id}/files). Errors of
 * {@link requireAttemptFileCapacity}; also `conflict` for an attachment if the attempt is over or its exam accepts no more submissions.
 */
export async function storeAttemptFile<Answer>(
  domain: Domain,
  caller: Caller,
  { attemptId, studentId, kind }: OwnAttempt & { kind: AttemptFileKind },
  spooled: SpooledFile,
  commit: CommitFile<Answer>,
): Promise<Answer> {
  const owner: FileOwner = {
    write: async (tx, file) => {
      if (kind === 'attachment') await requireExamOpenForAttempt(tx, { attemptId, studentId });
      await lockStudentForUpload(tx, { attemptId, studentId });
      const attempt = await requireFileCapacity(tx, await lockOwnAttempt(tx, attemptId, studentId), (own) => timeChecks[kind](own, tx.now));
      await requireAttemptQuotas(tx, { attemptId, studentId }, file.size);
      await insertAttemptFile(tx, { ...file, attempt_id: attempt.id, kind }, tx.now);
    },
    ...(kind === 'recording' ? { onStored: (tx: Transaction) => touchSubmission(tx, { attemptId, studentId }) } : {}),
    goneError: () => notFound('attempt'),
  };
  return storeFile(domain, caller, spooled, owner, commit);
}
