import type { ExamStatus } from '../../db/repositories/exams/columns';
import { DomainError } from '../errors';

/** The statuses that an exam can change to from each status (section States, Exam); closed is final. */
export const examTransitions: Record<ExamStatus, readonly ExamStatus[]> = {
  draft: ['published'],
  published: ['closed'],
  closed: [],
};

/** `conflict` for a closed exam. */
export function requireNotClosed({ status }: { status: ExamStatus }, what: string): void {
  if (status === 'closed') throw new DomainError('conflict', `The exam is closed: ${what}.`);
}
