import type { AssignedGroupRow } from '../../../db/repositories/exams/assignments';
import type { CodeSpec, ExamSummaryRow } from '../../../db/repositories/exams/columns';
import type { StudentExamRow } from '../../../db/repositories/exams/studentExams';
import type { ExamDetails } from '../../../domain/exams/readExamDetails';
import { isoOrNull } from '../../http/request/fields';
import type { ExamSummaryResponse, AssignedGroupResponse, ExamResponse, StudentExamResponse } from './exams.schemas';

/** An exam as lists show it (section Exam). */
export function presentExamSummary(row: ExamSummaryRow): ExamSummaryResponse {
  const { camera, microphone, screen } = row.proctoring;
  const { allowed, model_tier, max_interactions } = row.ai_policy;
  return {
    id: row.id,
    faculty_id: row.faculty_id,
    title: row.title,
    exam_type: row.exam_type,
    status: row.status,
    app: row.app,
    max_score: row.max_score,
    due_date: isoOrNull(row.due_date),
    time_limit_minutes: row.time_limit_minutes,
    allow_late_submission: row.allow_late_submission,
    late_penalty_percentage: row.late_penalty_percentage,
    proctoring: { camera, microphone, screen },
    ai_policy: { allowed, model_tier, max_interactions },
    published_at: isoOrNull(row.published_at),
    closed_at: isoOrNull(row.closed_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The coding spec, its fields in the specification's order. */
export function presentCodeSpec(spec: CodeSpec): CodeSpec {
  const { v, brief_md, toolchain, starter, sample_tests, hidden_tests, commands, ai_policy, rubric_md, exclude_globs } = spec;
  return { v, brief_md, toolchain, starter, sample_tests, hidden_tests, commands, ai_policy, rubric_md, exclude_globs };
}

/** A group that an exam is assigned to. */
export function presentAssignedGroup({ id, name, member_count, assigned_at }: AssignedGroupRow): AssignedGroupResponse {
  return { id, name, member_count, assigned_at: assigned_at.toISOString() };
}

/** One exam in full: with its coding spec, groups, stats, and whether a hidden-test key is set (never the key). */
export function presentExam({ exam, groups, stats }: ExamDetails): ExamResponse {
  const { assigned, started, submitted, graded, average_percentage } = stats;
  return {
    ...presentExamSummary(exam),
    code_spec: exam.code_spec === null ? null : presentCodeSpec(exam.code_spec),
    groups: groups.map(presentAssignedGroup),
    stats: { assigned, started, submitted, graded, average_percentage },
    code_secret_set: exam.hidden_key_set_at !== null,
  };
}

/** An exam with one student's latest attempt and the latest version of their submission. */
export function presentStudentExam(row: StudentExamRow): StudentExamResponse {
  return {
    ...presentExamSummary(row),
    attempt: row.attempt_id === null ? null : {
      id: row.attempt_id,
      status: row.attempt_status,
      started_at: row.attempt_started_at.toISOString(),
      expires_at: isoOrNull(row.attempt_expires_at),
      hidden_released_at: isoOrNull(row.attempt_hidden_released_at),
    },
    submission: row.submission_id === null ? null : {
      id: row.submission_id,
      version: row.submission_version,
      status: row.submission_status,
      is_late: row.submission_is_late,
      score: row.submission_score,
      percentage: row.submission_percentage,
      submitted_at: row.submission_submitted_at.toISOString(),
      graded_at: isoOrNull(row.submission_graded_at),
    },
  };
}
