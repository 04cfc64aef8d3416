import { newestFirst } from '../../page';
import type { IntegrationConfig, Toolchain } from '../../entities/institution';

export const examTypes = ['exam', 'homework', 'assignment', 'quiz', 'project'] as const;
export type ExamType = (typeof examTypes)[number];
export const examStatuses = ['draft', 'published', 'closed'] as const;
export type ExamStatus = (typeof examStatuses)[number];
/** The status of an exam visible to students. */
export const visibleExamStatuses = ['published', 'closed'] as const satisfies readonly ExamStatus[];
export type VisibleExamStatus = (typeof visibleExamStatuses)[number];
/** The document-exam app, or the coding app of exams with a `code_spec`. */
export const examApps = ['svc', 'svccode'] as const;
export type ExamApp = (typeof examApps)[number];
export type AiPolicy = IntegrationConfig['default_ai_policy'];
export type Proctoring = IntegrationConfig['default_proctoring'];

/** A stored file as a `code_spec` names it. */
export interface FileReference {
  id: string;
}

/** What a coding exam consists of (section code_spec), every field present. */
export interface CodeSpec {
  v: 1;
  brief_md: string;
  toolchain: Toolchain;
  starter: { kind: 'zip'; file: FileReference } | { kind: 'empty' };
  sample_tests: { kind: 'inline'; files: { path: string; content: string }[] } | { kind: 'zip'; file: FileReference } | null;
  hidden_tests: { kind: 'zip-encrypted'; file: FileReference; iv_b64: string; sha256: string } | null;
  commands: { setup: string | null; run: string | null; test_sample: string | null; test_hidden: string | null; timeout_ms: number };
  ai_policy: Pick<AiPolicy, 'allowed' | 'model_tier'> | null;
  rubric_md: string | null;
  exclude_globs: string[];
}

/** An exam in a list: without the coding spec, which may have 2 MiB. */
export interface ExamSummaryRow {
  id: string;
  faculty_id: string;
  title: string;
  exam_type: ExamType;
  status: ExamStatus;
  app: ExamApp;
  max_score: number;
  due_date: Date | null;
  time_limit_minutes: number | null;
  allow_late_submission: boolean;
  late_penalty_percentage: number;
  proctoring: Proctoring;
  ai_policy: AiPolicy;
  published_at: Date | null;
  closed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The columns of an {@link ExamSummaryRow} of `exams x`. */
export const summaryColumns = `x.id, x.faculty_id, x.title, x.exam_type, x.status, x.app, x.max_score::float8 AS max_score, x.due_date, x.time_limit_minutes,
  x.allow_late_submission, x.late_penalty_percentage::float8 AS late_penalty_percentage, x.proctoring, x.ai_policy, x.published_at, x.closed_at,
  x.created_at, x.updated_at`;

/** Newest first. */
export const examOrder = newestFirst('x.created_at', 'x.id');
