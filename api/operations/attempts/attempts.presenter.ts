import type { AttemptRow } from '../../../db/repositories/attempts/attempts';
import type { NewSubmission } from '../../../db/repositories/submissions/writes';
import { isoOrNull } from '../../http/request/fields';
import type { StartedAttemptResponse, SubmittedVersionResponse } from './attempts.schemas';

/** An attempt as its app sees it. */
export function presentAttempt({ id, exam_id, student_id, started_at, expires_at, hidden_released_at, status }: AttemptRow): Omit<StartedAttemptResponse, 'resumed' | 'code_spec'> {
  return {
    id,
    exam_id,
    student_id,
    started_at: started_at.toISOString(),
    expires_at: isoOrNull(expires_at),
    hidden_released_at: isoOrNull(hidden_released_at),
    status,
  };
}

/** A version just submitted. */
export function presentSubmitted({ id, exam_id, student_id, attempt_id, version, is_late, submitted_at }: NewSubmission): SubmittedVersionResponse {
  return { id, exam_id, student_id, attempt_id, version, status: 'submitted', is_late, submitted_at: submitted_at.toISOString() };
}
