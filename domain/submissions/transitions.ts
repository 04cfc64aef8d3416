import type { SubmissionStatus } from '../../db/repositories/exams/studentExams';
import { DomainError } from '../errors';

/**
 * The states that grading and voiding bring a submission to from each state (section States, Submission). A graded one
 * is graded again where its grade was wrong, one that is to be made again where nothing comes; a voided one stays.
 */
export const submissionTransitions: Record<SubmissionStatus, readonly SubmissionStatus[]> = {
  submitted: ['graded', 'resubmission_required', 'voided'],
  graded: ['graded', 'resubmission_required', 'voided'],
  resubmission_required: ['graded', 'resubmission_required'],
  voided: [],
};

/** How the refusal of a step says what was wanted. */
const transitionPhrases: Record<Exclude<SubmissionStatus, 'submitted'>, string> = {
  graded: 'be graded',
  resubmission_required: 'be asked for again',
  voided: 'be voided',
};

/** A state that a submission is brought to by who reads it. */
export type ReviewStatus = keyof typeof transitionPhrases;

/** Refuses a step that the table does not have, by the code of whoever asks for it. */
export function requireTransition(from: SubmissionStatus, to: ReviewStatus, code: 'conflict' | 'void_failed'): void {
  if (!submissionTransitions[from].includes(to)) {
    throw new DomainError(code, `A submission that is ${from} cannot ${transitionPhrases[to]}.`);
  }
}
