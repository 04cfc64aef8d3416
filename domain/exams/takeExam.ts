import { lockExam, type ExamRow } from '../../db/repositories/exams';
import type { Transaction } from '../context';
import { notFound } from '../errors';

/** Locks an exam for a change; `not_found` when the institution has none of that id. */
export async function takeExam(tx: Transaction, id: string): Promise<ExamRow> {
  const exam = await lockExam(tx, id);
  if (exam === undefined) throw notFound('exam');
  return exam;
}
