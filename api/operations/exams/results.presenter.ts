import type { ExamAnalyticsRow } from '../../../db/repositories/exams/analytics';
import type { ListedAttemptRow } from '../../../db/repositories/attempts/list';
import type { ExamScoreRow } from '../../../db/repositories/exams/scores';
import { isoOrNull } from '../../http/request/fields';
import type { ExamAttemptResponse, ExamScoreResponse, ExamAnalyticsResponse } from './results.schemas';

/** An attempt at an exam (section Exams, GET …/attempts). */
export function presentExamAttempt(row: ListedAttemptRow): ExamAttemptResponse {
  return {
    id: row.id,
    student_id: row.student_id,
    student_email: row.student_email,
    status: row.status,
    started_at: row.started_at.toISOString(),
    expires_at: isoOrNull(row.expires_at),
    hidden_released_at: isoOrNull(row.hidden_released_at),
    ended_at: isoOrNull(row.ended_at),
    submission_id: row.submission_id,
  };
}

/** The result of one assigned student (section Exams, GET …/scores). */
export function presentExamScore(row: ExamScoreRow): ExamScoreResponse {
  const { id, student_id, email, status, score, max_score, percentage, is_late } = row;
  return { id, student_id, email, status, score, max_score, percentage, is_late, submitted_at: isoOrNull(row.submitted_at), graded_at: isoOrNull(row.graded_at) };
}

/** Returns the results of an exam (section Exams, GET …/analytics). */
export function presentExamAnalytics(row: ExamAnalyticsRow): ExamAnalyticsResponse {
  const { not_submitted, submitted, graded, resubmission_required, voided, mean, median, min, max, standard_deviation } = row;
  return {
    counts: { not_submitted, submitted, graded, resubmission_required, voided },
    percentage: { mean, median, min, max, standard_deviation },
    histogram: row.histogram.map((count, bin) => ({ from: bin * 10, to: bin * 10 + 10, count })),
    late_count: row.late,
    mean_duration_seconds: row.mean_duration,
    focus: { losses: row.focus_losses, seconds_away: row.seconds_away },
  };
}
