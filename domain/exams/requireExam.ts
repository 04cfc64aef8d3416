import type { InstitutionScope } from '../../db/database';
import { findExam, lockExam, lockExamExclusively, type ExamRow } from '../../db/repositories/exams/exams';
import type { Transaction } from '../context';
import { requireFound } from '../errors';

/** Returns an exam of the institution without its coding spec; `not_found`. */
export const requireExam = async (scope: InstitutionScope, id: string): Promise<ExamRow> => requireFound(await findExam(scope, id), 'exam');

/** Returns an exam locked for a change; attempts may start concurrently. `not_found`. */
export const requireLockedExam = async (tx: Transaction, id: string): Promise<ExamRow> => requireFound(await lockExam(tx, id), 'exam');

/** Returns an exam locked exclusively: waits for attempts that are starting, and none starts until the commit. `not_found`. */
export const requireExclusivelyLockedExam = async (tx: Transaction, id: string): Promise<ExamRow> => requireFound(await lockExamExclusively(tx, id), 'exam');
