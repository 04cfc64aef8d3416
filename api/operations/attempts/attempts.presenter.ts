import type { AttemptRow } from '../../../db/repositories/attempts/attempts';
import type { NewSubmission } from '../../../db/repositories/submissions/writes';

/** An attempt as its app sees it. */
export function presentAttempt({ id, exam_id, student_id, started_at, expires_at, hidden_released_at, status }: AttemptRow): object {
  return {
    id,
    exam_id,
    student_id,
    started_at: started_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    hidden_released_at: hidden_released_at?.toISOString() ?? null,
    status,
  };
}

/** A version just submitted. */
export function presentSubmitted({ id, exam_id, student_id, attempt_id, version, is_late, submitted_at }: NewSubmission): object {
  return { id, exam_id, student_id, attempt_id, version, status: 'submitted', is_late, submitted_at: submitted_at.toISOString() };
}
