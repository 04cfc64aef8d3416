import type { AttemptEventRow, SubmittedAttemptRow } from '../../../db/repositories/submissions/events';
import type { SubmissionRow, VersionRow } from '../../../db/repositories/submissions/submissions';

const isoOrNull = (moment: Date | null): string | null => moment?.toISOString() ?? null;

/** A submission as lists show it (section Submission). */
export function presentSubmissionSummary(row: SubmissionRow): object {
  const { score, max_score, percentage, late_penalty_percentage, focus_losses, seconds_away, recorder_errors, segments } = row;
  return {
    id: row.id,
    exam_id: row.exam_id,
    student_id: row.student_id,
    student_email: row.student_email,
    attempt_id: row.attempt_id,
    version: row.version,
    is_latest: row.is_latest,
    status: row.status,
    is_late: row.is_late,
    feedback: row.feedback,
    score_detail: score === null ? null : { score, max_score, percentage, late_penalty_percentage },
    proctoring: { focus_losses, seconds_away, recorder_errors, segments },
    graded_by: row.graded_by,
    graded_at: isoOrNull(row.graded_at),
    void_reason: row.void_reason,
    voided_at: isoOrNull(row.voided_at),
    submitted_at: row.submitted_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** One of the versions of a submission. */
export function presentVersion({ id, version, status, submitted_at }: VersionRow): object {
  return { id, version, status, submitted_at: submitted_at.toISOString() };
}

/** The attempt that a submission came from. */
export function presentSubmittedAttempt({ id, status, started_at, expires_at, hidden_released_at, ended_at }: SubmittedAttemptRow): object {
  return {
    id,
    status,
    started_at: started_at.toISOString(),
    expires_at: isoOrNull(expires_at),
    hidden_released_at: isoOrNull(hidden_released_at),
    ended_at: isoOrNull(ended_at),
  };
}

/** One event of an attempt's feed. */
export function presentAttemptEvent({ type, at, detail }: AttemptEventRow): object {
  return { type, at: at.toISOString(), ...(detail === null ? {} : { detail }) };
}
