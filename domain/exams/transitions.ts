import type { ExamStatus } from '../../db/repositories/exams/columns';
import { DomainError } from '../errors';

/** The states an exam may go to from each state (section States, Exam); a closed one stays closed. */
export const examTransitions: Record<ExamStatus, readonly ExamStatus[]> = {
  draft: ['published'],
  published: ['closed'],
  closed: [],
};

/** Whether an exam is to turn from one state to another: false when it is there already, `conflict` when the table has no such step. */
export function shouldTransition(from: ExamStatus, to: ExamStatus): boolean {
  if (from === to) return false;
  if (!examTransitions[from].includes(to)) throw new DomainError('conflict', `A ${from} exam cannot become ${to}.`);
  return true;
}

/** `conflict` where an exam is closed, which leaves it as it is. */
export function requireNotClosed({ status }: { status: ExamStatus }, what: string): void {
  if (status === 'closed') throw new DomainError('conflict', `The exam is closed: ${what}.`);
}
