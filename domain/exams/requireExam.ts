import type { InstitutionScope } from '../../db/database';
import { findExam, lockExam, lockExamExclusively, type ExamRow } from '../../db/repositories/exams/exams';
import type { Transaction } from '../context';
import { notFound } from '../errors';

function assertFound(exam: ExamRow | undefined): ExamRow {
  if (exam === undefined) throw notFound('exam');
  return exam;
}

/** An exam of the institution without its coding spec, or `not_found`. */
export const requireExam = async (scope: InstitutionScope, id: string): Promise<ExamRow> => assertFound(await findExam(scope, id));

/** The same, locked for a change; attempts may begin meanwhile. */
export const requireLockedExam = async (tx: Transaction, id: string): Promise<ExamRow> => assertFound(await lockExam(tx, id));

/** The same, locked alone: attempts that are just beginning are waited for, and none begins until the commit. */
export const requireExclusivelyLockedExam = async (tx: Transaction, id: string): Promise<ExamRow> => assertFound(await lockExamExclusively(tx, id));
