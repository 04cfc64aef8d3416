import type { SubmissionStatus } from '../../db/repositories/exams/studentExams';
import type { LatestAttemptRow } from '../../db/repositories/attempts/attempts';
import { afterUnsubmittedAttempt } from './timeRules';

/** What ends an attempt in progress: submission or expiry. Both are final. */
export const attemptTransitions = {
  in_progress: { submit: 'submitted', abandon: 'abandoned' },
  submitted: {},
  abandoned: {},
} as const;

/** A student's state in an exam: no attempt yet, the state of the latest attempt, or that of their submission. */
export type StudentExamState = 'none' | 'in_progress' | 'abandoned' | SubmissionStatus;

/** What requesting an attempt does in each state: start a new one, resume the present one, or fail with a message. */
export const startTransitions = {
  none: 'start',
  in_progress: 'resume',
  abandoned: { conflict: `The time of the attempt is over. ${afterUnsubmittedAttempt}` },
  submitted: { conflict: 'This exam has been handed in. Another attempt begins once a resubmission is asked for (a grade of -1) or the submission is voided.' },
  graded: { conflict: 'The submission of this exam is graded.' },
  resubmission_required: 'start',
  voided: 'start',
} as const satisfies Record<StudentExamState, 'start' | 'resume' | { conflict: string }>;

type LatestAttemptState = Pick<LatestAttemptRow, 'status' | 'started_at' | 'submission_status' | 'submission_graded_at' | 'submission_voided_at'>;

/** Returns when a submission reached a state in which its student may start again; null if it has not. */
function reopenedAt({ submission_status: status, submission_graded_at: askedAt, submission_voided_at: voidedAt }: LatestAttemptState): Date | null {
  if (status === 'resubmission_required') return askedAt;
  return status === 'voided' ? voidedAt : null;
}

/**
 * Returns a student's state from their latest attempt. An abandoned attempt uses up the permission to start it: only a
 * resubmission requested, or a submission voided, after it began allows another.
 */
export function studentExamState(latest: LatestAttemptState | undefined): StudentExamState {
  if (latest === undefined) return 'none';
  const { status, started_at: startedAt, submission_status: submission } = latest;
  if (submission === null || status === 'in_progress') return status;
  const reopened = reopenedAt(latest);
  return status === 'submitted' || (reopened !== null && reopened > startedAt) ? submission : status;
}
