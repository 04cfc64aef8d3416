import type { ExamSummaryRow } from '../../db/repositories/exams/columns';

/** Limits of an exam's numbers; scores and percentages have up to two decimals. */
export const examBounds = {
  maxScore: { max: 100_000 },
  latePenalty: { max: 100 },
  timeLimitMinutes: { min: 1, max: 1_440 },
} as const;

/** Defaults of a new exam; owner, title, proctoring and AI policy come from elsewhere. */
export const examDefaults: Pick<
  ExamSummaryRow,
  'exam_type' | 'max_score' | 'due_date' | 'time_limit_minutes' | 'allow_late_submission' | 'late_penalty_percentage'
> & { publish: boolean } = {
  exam_type: 'exam',
  max_score: 100,
  due_date: null,
  time_limit_minutes: null,
  allow_late_submission: false,
  late_penalty_percentage: 0,
  publish: true,
};

/** Maximum number of groups of one exam: each is announced by an event of its own in one transaction. */
export const maxGroups = 500;

/** Maximum number of files of one exam, used by its spec or not. */
export const maxExamFiles = 100;

/** Limits of a coding exam's spec: texts in characters, all inline files together in bytes of UTF-8 (section code_spec). */
export const codeSpecBounds = {
  markdown: 100_000,
  command: 4_000,
  timeoutMs: { min: 1_000, max: 600_000, default: 60_000 },
  inlineFiles: { count: 200, bytes: 1024 * 1024, path: 255 },
  excludeGlobs: { count: 100, length: 255 },
} as const;

/** The hidden-test key and its initialisation vector, AES-256-GCM, in bytes (section Limits). */
export const hiddenTests = { keyBytes: 32, ivBytes: 12 } as const;
