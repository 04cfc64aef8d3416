import type { RetentionStep, RowPosition } from '../domain/retention/pruneOldEvents';
import { newPassProgress, forEachInstitution, type PassProgress } from './institutionPass';

/** The progress of a pass that deletes old rows. */
export interface RetentionProgress extends PassProgress<RowPosition> {
  removed: number;
  /** Old rows that could not be deleted yet; the next pass tries them again. */
  kept: number;
}

/** The outcome of a pass. */
export type RetentionResult = Pick<RetentionProgress, 'removed' | 'kept' | 'institutions'>;

/** What a pass deletes. */
interface Retention {
  institutions(nowMs: number, afterId: string, limit: number): Promise<string[]>;
  step(institutionId: string, nowMs: number, after: RowPosition | null): Promise<RetentionStep>;
  /** Returns what has been deleted so far, for the Web UI. */
  summarize(progress: RetentionProgress): string;
}

/** Returns the progress of a new pass. */
export const newRetentionProgress = (nowMs: number): RetentionProgress => ({ ...newPassProgress<RowPosition>(nowMs), removed: 0, kept: 0 });

/** Deletes old rows of one institution after another. Undefined if the workflow must continue as a new run with `progress`. */
export async function runRetentionPass(progress: RetentionProgress, { institutions, step, summarize }: Retention): Promise<RetentionResult | undefined> {
  const outcome = await forEachInstitution(progress, {
    institutions,
    step: async (institutionId, after) => {
      const { removed, kept, next } = await step(institutionId, progress.nowMs, after);
      progress.removed += removed;
      progress.kept += kept;
      return next ?? 'done';
    },
    summarize: (done) => {
      const kept = progress.kept > 0 ? [`kept because still to be sent: ${progress.kept}`] : [];
      return [`${summarize(progress)} in ${done}`, ...kept];
    },
  });
  return outcome === 'unfinished' ? undefined : { removed: progress.removed, kept: progress.kept, institutions: progress.institutions };
}
