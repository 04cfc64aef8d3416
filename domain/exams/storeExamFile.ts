import type { InstitutionScope } from '../../db/database';
import type { ExamRow } from '../../db/repositories/exams/exams';
import { countExamFiles, insertExamFile } from '../../db/repositories/files/files';
import type { Caller, Domain } from '../context';
import { DomainError, notFound } from '../errors';
import { requireExam, requireLockedExam } from './requireExam';
import { maxExamFiles } from './limits';
import { requireNotClosed } from './transitions';
import { requireInstitutionQuota, requireRoomForUpload } from '../quotas/requireQuota';
import type { SpooledFile } from '../files/fileStore';
import { storeFile, type CommitFile, type FileOwner } from '../files/storeFile';

async function requireFileCapacity(scope: InstitutionScope, exam: ExamRow): Promise<void> {
  requireNotClosed(exam, 'it accepts no more files');
  if ((await countExamFiles(scope, exam.id)) >= maxExamFiles) throw new DomainError('conflict', `An exam can have at most ${maxExamFiles} files.`);
}

/** Rejects an upload before it is read: `not_found` for an unknown exam, `conflict` for a closed one and for one with 100 files, `file_too_large` if a quota is used up. */
export async function requireExamFileCapacity(reads: InstitutionScope, examId: string): Promise<void> {
  await requireFileCapacity(reads, await requireExam(reads, examId));
  await requireRoomForUpload(reads);
}

/**
 * Stores an upload as a file of an exam (section Exams (coding)). Errors of {@link requireExamFileCapacity}; also
 * `not_found` if the exam is deleted during the upload.
 */
export async function storeExamFile<Answer>(domain: Domain, caller: Caller, examId: string, spooled: SpooledFile, commit: CommitFile<Answer>): Promise<Answer> {
  const owner: FileOwner = {
    write: async (tx, file) => {
      await requireFileCapacity(tx, await requireLockedExam(tx, examId));
      await requireInstitutionQuota(tx, file.size);
      await insertExamFile(tx, { ...file, exam_id: examId }, tx.now);
    },
    goneError: () => notFound('exam'),
  };
  return storeFile(domain, caller, spooled, owner, commit);
}
