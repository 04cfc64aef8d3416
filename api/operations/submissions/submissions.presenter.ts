import type { AttemptEventRow, SubmittedAttemptRow } from '../../../db/repositories/submissions/events';
import type { SubmissionFileRow } from '../../../db/repositories/submissions/files';
import type { SubmissionRow, VersionRow } from '../../../db/repositories/submissions/submissions';
import type { Signed } from '../../../domain/files/signFiles';
import type { SubmissionDetails } from '../../../domain/submissions/readSubmissionDetails';
import { isoOrNull } from '../../http/request/fields';
import type { ScoreResponse, SignedFileResponse, SubmissionEventsResponse, SubmissionResponse, SubmissionSummaryResponse } from './submissions.schemas';

type ScoreColumns = Pick<SubmissionRow, 'score' | 'max_score' | 'percentage' | 'late_penalty_percentage'>;

/** The grade of a submission; null until it is graded. */
export function presentScore({ score, max_score, percentage, late_penalty_percentage }: ScoreColumns): ScoreResponse | null {
  if (score === null || max_score === null || percentage === null || late_penalty_percentage === null) return null;
  return { score, max_score, percentage, late_penalty_percentage };
}

/** A submission as lists show it (section Submission). */
export function presentSubmissionSummary(row: SubmissionRow): SubmissionSummaryResponse {
  const { focus_losses, seconds_away, recorder_errors, segments } = row;
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
    score_detail: presentScore(row),
    proctoring: { focus_losses, seconds_away, recorder_errors, segments },
    graded_by: row.graded_by,
    graded_at: isoOrNull(row.graded_at),
    void_reason: row.void_reason,
    voided_at: isoOrNull(row.voided_at),
    submitted_at: row.submitted_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** A file with a URL that is valid for one hour. */
export function presentSignedFile({ id, name, size, sha256, content_type, url, url_expires_at }: Signed<SubmissionFileRow>): SignedFileResponse {
  return { id, name, size, sha256, content_type, url, url_expires_at: url_expires_at.toISOString() };
}

/** One submission in full. */
export function presentSubmission({ submission, attachments, versions, recordings }: SubmissionDetails<Signed<SubmissionFileRow>>): SubmissionResponse {
  return {
    ...presentSubmissionSummary(submission),
    text: submission.text,
    attachments: attachments.map(presentSignedFile),
    feedback_attachments: [],
    ai_usage_data: submission.ai_usage_data,
    versions: versions.map(presentVersion),
    ...(recordings === undefined ? {} : { recordings: recordings.map(presentSignedFile) }),
  };
}

function presentVersion({ id, version, status, submitted_at }: VersionRow): SubmissionResponse['versions'][number] {
  return { id, version, status, submitted_at: submitted_at.toISOString() };
}

/** The attempt that a submission came from. */
export function presentSubmittedAttempt({ id, student_id, status, started_at, expires_at, hidden_released_at, ended_at }: SubmittedAttemptRow): SubmissionEventsResponse['attempt'] {
  return {
    id,
    student_id,
    status,
    started_at: started_at.toISOString(),
    expires_at: isoOrNull(expires_at),
    hidden_released_at: isoOrNull(hidden_released_at),
    ended_at: isoOrNull(ended_at),
  };
}

/** One event of an attempt's feed. */
export function presentAttemptEvent({ type, at, detail }: AttemptEventRow): SubmissionEventsResponse['events'][number] {
  return { type, at: at.toISOString(), ...(detail === null ? {} : { detail }) };
}
