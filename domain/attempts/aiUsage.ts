import type { Toolchain } from '../../db/entities/institution';
import type { ExamApp } from '../../db/repositories/exams/columns';
import { validationError } from '../errors';

interface Interactions {
  total_interactions: number;
  models_used: string[];
}

/** What the app of a document exam tells of the assistant's use (section Exam). */
export type DocumentUsage = Interactions;

/** What the coding app tells of an attempt (section Submission). */
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

/** `ai_usage_data` as a submission carries it. */
export type AiUsage = DocumentUsage | CodingUsage;

/** `validation_error` where what is told is not what the exam's own app tells. */
export function requireUsageForApp(app: ExamApp, usage: AiUsage | null): void {
  if (usage === null) return;
  const path = 'ai_usage_data.kind';
  if (app === 'svccode' && !('kind' in usage)) throw validationError({ path, message: 'is required for a coding exam' });
  if (app === 'svc' && 'kind' in usage) throw validationError({ path, message: 'is for coding exams alone' });
}
