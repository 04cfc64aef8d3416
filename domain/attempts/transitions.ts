import type { SubmissionStatus } from '../../db/repositories/exams/studentExams';
import type { LatestAttemptRow } from '../../db/repositories/attempts/attempts';

/** What ends an attempt in progress: its submission, or its time running out. One that has ended stays as it is. */
export const attemptTransitions = {
  in_progress: { submit: 'submitted', abandon: 'abandoned' },
  submitted: {},
  abandoned: {},
} as const;

/** How far a student is with an exam: no attempt yet, the latest one's state, or that of their submission. */
export type StudentExamState = 'none' | 'in_progress' | 'abandoned' | SubmissionStatus;

/** What asking for an attempt does at each standing: a new one begins, the present one goes on, or why neither. */
export const startTransitions: Record<StudentExamState, 'start' | 'resume' | { conflict: string }> = {
  none: 'start',
  in_progress: 'resume',
  abandoned: { conflict: 'The time of your attempt is over.' },
  submitted: { conflict: 'You have submitted this exam.' },
  graded: { conflict: 'Your submission of this exam is graded.' },
  resubmission_required: 'start',
  voided: 'start',
};

type LatestAttemptState = Pick<LatestAttemptRow, 'status' | 'started_at' | 'submission_status' | 'submission_graded_at' | 'submission_voided_at'>;

/** When a submission came to a state that lets its student begin anew; null where it has not. */
function reopenedAt({ submission_status: status, submission_graded_at: askedAt, submission_voided_at: voidedAt }: LatestAttemptState): Date | null {
  if (status === 'resubmission_required') return askedAt;
  return status === 'voided' ? voidedAt : null;
}

/**
 * A student's standing by their latest attempt. One that was abandoned uses up what let it begin: only a submission
 * asked for again, or voided, since it began lets another begin.
 */
export function studentExamState(latest: LatestAttemptState | undefined): StudentExamState {
  if (latest === undefined) return 'none';
  const { status, started_at: startedAt, submission_status: submission } = latest;
  if (submission === null || status === 'in_progress') return status;
  const reopened = reopenedAt(latest);
  return status === 'submitted' || (reopened !== null && reopened > startedAt) ? submission : status;
}
