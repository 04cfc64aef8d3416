import type { SubmissionStatus } from '../../db/repositories/studentExams';
import type { LatestAttemptRow } from '../../db/repositories/examAttempts';

/** What ends an attempt in progress: its submission, or its time running out. One that has ended stays as it is. */
export const attemptTransitions = {
  in_progress: { submit: 'submitted', abandon: 'abandoned' },
  submitted: {},
  abandoned: {},
} as const;

/** How far a student is with an exam: no attempt yet, the latest one's state, or that of the submission it led to. */
export type ExamStanding = 'none' | 'in_progress' | 'abandoned' | SubmissionStatus;

/** What asking for an attempt does at each standing: a new one begins, the present one goes on, or why neither. */
export const onAsking: Record<ExamStanding, 'start' | 'resume' | { refused: string }> = {
  none: 'start',
  in_progress: 'resume',
  abandoned: { refused: 'The time of your attempt is over.' },
  submitted: { refused: 'You have submitted this exam.' },
  graded: { refused: 'Your submission of this exam is graded.' },
  resubmission_required: 'start',
  voided: 'start',
};

/** A student's standing by their latest attempt. */
export function standingOf(latest: Pick<LatestAttemptRow, 'status' | 'submission_status'> | undefined): ExamStanding {
  if (latest === undefined) return 'none';
  return latest.status === 'submitted' ? latest.submission_status ?? 'submitted' : latest.status;
}
