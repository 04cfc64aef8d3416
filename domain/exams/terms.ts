import type { ExamType } from '../../db/repositories/examColumns';

/** What an exam can be called (section Exam). */
export const examTypes: readonly ExamType[] = ['exam', 'homework', 'assignment', 'quiz', 'project'];

/** Bounds of an exam's numbers; scores and percentages have up to two decimals. */
export const examBounds = {
  maxScore: { default: 100, max: 100_000 },
  latePenalty: { max: 100 },
  timeLimitMinutes: { min: 1, max: 1_440 },
} as const;

/** Groups that one exam may be assigned to: each is announced by an event of its own in one transaction. */
export const maxGroups = 500;

/** Bounds of a coding exam's spec: texts in characters, inline files in all in bytes of UTF-8 (section code_spec). */
export const codeSpecBounds = {
  markdown: 100_000,
  command: 4_000,
  timeoutMs: { min: 1_000, max: 600_000, default: 60_000 },
  inlineFiles: { count: 200, bytes: 1024 * 1024, path: 255 },
  excludeGlobs: { count: 100, length: 255 },
} as const;

/** The hidden-test key and its initialisation vector, AES-256-GCM, in bytes (section Limits). */
export const hiddenTests = { keyBytes: 32, ivBytes: 12 } as const;
