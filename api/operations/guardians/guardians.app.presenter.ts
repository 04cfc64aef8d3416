import type { FollowedSubmissionRow } from '../../../db/repositories/guardians/portal';
import type { FollowedExam, FollowedStudent, FollowedVersion } from '../../../domain/guardians/readFollowed';
import { isoOrNull } from '../../http/request/fields';
import { presentScore, presentSignedFile } from '../submissions/submissions.presenter';
import type { FollowedVersionResponse, FollowedSubmissionResponse, FollowedExamResponse, FollowedStudentResponse } from './guardians.app.schemas';
import { presentFollowedReport } from './reports.app.presenter';

/** A student of the list, with the newest of everything. */
export function presentFollowedStudent({ student: { id, full_name, login_email }, exams, reports }: FollowedStudent): FollowedStudentResponse {
  return { id, full_name, login_email, exams: exams.map(presentFollowedExam), weekly_reports: reports.map(presentFollowedReport) };
}

/** An exam with what its student has handed in. */
export function presentFollowedExam({ exam, versions }: FollowedExam): FollowedExamResponse {
  const { id, title, exam_type, status, max_score, due_date } = exam;
  return { id, title, exam_type, status, max_score, due_date: isoOrNull(due_date), submissions: versions.map(presentFollowedVersion) };
}

/** A version of a submission in full, with what the student wrote. */
export function presentFollowedSubmission(followed: FollowedVersion<FollowedSubmissionRow>): FollowedSubmissionResponse {
  const { exam_id, student_id, text } = followed.version;
  return { ...presentFollowedVersion(followed), exam_id, student_id, text };
}

function presentFollowedVersion({ version, attachments }: FollowedVersion): FollowedVersionResponse {
  return {
    id: version.id,
    version: version.version,
    status: version.status,
    is_late: version.is_late,
    submitted_at: version.submitted_at.toISOString(),
    graded_at: isoOrNull(version.graded_at),
    score_detail: presentScore(version),
    feedback: version.feedback,
    attachments: attachments.map(presentSignedFile),
  };
}
