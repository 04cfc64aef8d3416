import type { RetentionStep, RowPosition } from '../domain/retention/pruneOldEvents';
import { newPassProgress, forEachInstitution, type PassProgress } from './institutionPass';

/** How far a pass that deletes what is old is. */
export interface RetentionProgress extends PassProgress<RowPosition> {
  removed: number;
  /** Old rows that had to stay; the next pass takes them again. */
  kept: number;
}

/** What a pass came to. */
export type RetentionResult = Pick<RetentionProgress, 'removed' | 'kept' | 'institutions'>;

/** What is deleted in a pass. */
interface Retention {
  institutions(nowMs: number, afterId: string, limit: number): Promise<string[]>;
  step(institutionId: string, nowMs: number, after: RowPosition | null): Promise<RetentionStep>;
  /** What has been deleted so far, for the Web UI. */
  summarize(progress: RetentionProgress): string;
}

/** A pass from its beginning. */
export const newRetentionProgress = (nowMs: number): RetentionProgress => ({ ...newPassProgress<RowPosition>(nowMs), removed: 0, kept: 0 });

/** Deletes what is old of one institution after another. Undefined when the workflow is to continue as a new run with `progress`. */
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
