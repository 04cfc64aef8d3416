import type { InstitutionScope } from '../../db/database';
import { findExam, lockExam, type ExamRow } from '../../db/repositories/exams';
import { countExamFiles, insertExamFile, settleFile, type TakenFile } from '../../db/repositories/files';
import type { Caller, Domain } from '../context';
import { DomainError, notFound } from '../errors';
import { newId } from '../ids';
import { transact } from '../transact';
import type { SpooledFile } from './fileStore';

/** Files that an exam may have. */
const maxExamFiles = 100;

async function requireRoom(scope: InstitutionScope, exam: ExamRow | undefined): Promise<void> {
  if (exam === undefined) throw notFound('exam');
  if (exam.status === 'closed') throw new DomainError('conflict', 'The exam is closed: it takes no more files.');
  if ((await countExamFiles(scope, exam.id)) >= maxExamFiles) throw new DomainError('conflict', `The exam has ${maxExamFiles} files: it takes no more.`);
}

/** Says no before an upload is read: `not_found` for an unknown exam, `conflict` for a closed one and for one with 100 files. */
export async function requireRoomForFile(reads: InstitutionScope, examId: string): Promise<void> {
  await requireRoom(reads, await findExam(reads, examId));
}

/**
 * Keeps an upload as a file of an exam (section Exams (coding)): first its row, then its bytes in the store, then the
 * row says so. Whatever a crash leaves in between, housekeeping finds by its row. Refused like {@link requireRoomForFile};
 * `not_found`, too, when the exam is deleted meanwhile.
 */
export async function storeExamFile(domain: Domain, caller: Caller, examId: string, spooled: SpooledFile): Promise<TakenFile> {
  const { size, sha256, filename, contentType } = spooled;
  const file = { id: newId('file'), size, sha256, filename, content_type: contentType };
  await transact(domain, caller, async (tx) => {
    await requireRoom(tx, await lockExam(tx, examId));
    await insertExamFile(tx, { ...file, exam_id: examId }, tx.now);
  });
  const settle = (status: 'stored' | 'removed'): Promise<boolean> => transact(domain, caller, (tx) => settleFile(tx, file.id, status, tx.now));
  try {
    await domain.files.put(file.id, spooled);
  } catch (error) {
    // It no longer counts; where this fails too, housekeeping takes it a day later.
    await settle('removed').catch(() => undefined);
    throw error;
  }
  if (await settle('stored')) return file;
  await domain.files.delete(file.id);
  throw notFound('exam');
}
