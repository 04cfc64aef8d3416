import type { InstitutionScope } from '../../db/database';
import { findExam, lockExam, lockExamExclusively, type ExamRow } from '../../db/repositories/exams/exams';
import type { Transaction } from '../context';
import { notFound } from '../errors';

function assertFound(exam: ExamRow | undefined): ExamRow {
  if (exam === undefined) throw notFound('exam');
  return exam;
}

/** Returns an exam of the institution without its coding spec; `not_found`. */
export const requireExam = async (scope: InstitutionScope, id: string): Promise<ExamRow> => assertFound(await findExam(scope, id));

/** Returns an exam locked for a change; attempts may start concurrently. `not_found`. */
export const requireLockedExam = async (tx: Transaction, id: string): Promise<ExamRow> => assertFound(await lockExam(tx, id));

/** Returns an exam locked exclusively: waits for attempts that are starting, and none starts until the commit. `not_found`. */
export const requireExclusivelyLockedExam = async (tx: Transaction, id: string): Promise<ExamRow> => assertFound(await lockExamExclusively(tx, id));
