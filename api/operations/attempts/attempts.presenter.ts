import type { NewSubmission } from '../../../db/repositories/submissions/writes';
import type { StartedAttempt } from '../../../domain/attempts/startAttempt';
import type { SignedCodeSpec } from '../../../domain/exams/signSpecFiles';
import { isoOrNull } from '../../http/request/fields';
import { presentStudentCodeSpec } from '../exams/codeSpec.app.presenter';
import type { StartedAttemptResponse, SubmittedVersionResponse } from './attempts.schemas';

/** An attempt as its app gets it on start and resume, with the signed files of its coding spec. */
export function presentStartedAttempt({ attempt, resumed }: StartedAttempt, signed: SignedCodeSpec | null): StartedAttemptResponse {
  const { id, exam_id, student_id, started_at, expires_at, hidden_released_at, status } = attempt;
  return {
    id,
    exam_id,
    student_id,
    started_at: started_at.toISOString(),
    expires_at: isoOrNull(expires_at),
    hidden_released_at: isoOrNull(hidden_released_at),
    status,
    resumed,
    code_spec: signed && presentStudentCodeSpec(signed),
  };
}

/** A version just submitted. */
export function presentSubmitted({ id, exam_id, student_id, attempt_id, version, is_late, submitted_at }: NewSubmission): SubmittedVersionResponse {
  return { id, exam_id, student_id, attempt_id, version, status: 'submitted', is_late, submitted_at: submitted_at.toISOString() };
}
