import type { SubmissionStatus } from '../../db/repositories/exams/studentExams';
import { DomainError } from '../errors';
import { canTransition } from '../transitions';

/**
 * The statuses that grading and voiding set from each status (section States, Submission). A graded submission can be
 * graded again, also after a resubmission was requested; voided is final.
 */
export const submissionTransitions: Record<SubmissionStatus, readonly SubmissionStatus[]> = {
  submitted: ['graded', 'resubmission_required', 'voided'],
  graded: ['graded', 'resubmission_required', 'voided'],
  resubmission_required: ['graded', 'resubmission_required'],
  voided: [],
};

/** The transitions as phrases of error messages. */
const transitionPhrases: Record<Exclude<SubmissionStatus, 'submitted'>, string> = {
  graded: 'be graded',
  resubmission_required: 'be returned for resubmission',
  voided: 'be voided',
};

/** What to do in place of grading a voided submission, or asking for another one. */
const afterVoiding = ": grade that of the student's next attempt, which voiding allows while the exam takes submissions";

/** A status that a reviewer can set. */
export type ReviewStatus = keyof typeof transitionPhrases;

/** Fails with the caller's code if the table does not allow the transition. */
export function requireTransition(from: SubmissionStatus, to: ReviewStatus, code: 'conflict' | 'void_failed'): void {
  if (!canTransition(submissionTransitions, from, to)) {
    const way = from === 'voided' && to !== 'voided' ? afterVoiding : '';
    throw new DomainError(code, `A submission that is ${from} cannot ${transitionPhrases[to]}${way}.`);
  }
}
