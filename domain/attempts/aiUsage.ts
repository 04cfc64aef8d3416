import type { Toolchain } from '../../db/entities/institution';
import type { ExamApp } from '../../db/repositories/exams/columns';
import { validationError } from '../errors';

interface Interactions {
  total_interactions: number;
  models_used: string[];
}

/** AI usage that the app of a document exam reports (section Exam). */
export type DocumentUsage = Interactions;

/** AI usage that the coding app reports (section Submission). */
export interface CodingUsage extends Interactions {
  kind: 'svccode';
  v: 1;
  tests: {
    sample: { passed: number; failed: number } | null;
    hidden: { passed: number; failed: number; hidden_zip_sha256: string; workspace_sha256: string } | null;
  };
  timing: { started_at: Date; hidden_released_at: Date | null; submitted_at: Date };
  focus: { lost_count: number; lost_seconds: number };
  toolchain: Toolchain;
  app: { name: string; version: string; platform: string };
}

/** `ai_usage_data` of a submission. */
export type AiUsage = DocumentUsage | CodingUsage;

/** `validation_error` if the reported usage does not fit the exam's app. */
export function requireUsageForApp(app: ExamApp, usage: AiUsage | null): void {
  if (usage === null) return;
  const path = 'ai_usage_data.kind';
  if (app === 'svccode' && !('kind' in usage)) throw validationError({ path, message: 'is required for a coding exam: svccode, with v, tests, timing, focus, toolchain and app' });
  if (app === 'svc' && 'kind' in usage) throw validationError({ path, message: 'is only allowed for coding exams' });
}
