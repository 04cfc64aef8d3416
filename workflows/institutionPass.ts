import { ActivityFailure, ApplicationFailure, setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { RetentionStep, RowPosition } from '../domain/retention/retainEvents';
import { nonRetryable, searchAttributes } from './contract';
import { counted } from './counted';
import { isLong } from './runLength';

/** How far a pass through the institutions is; what it hands on when it continues as a new run. */
export interface PassProgress {
  /** The pass's own time: how old something is, is counted from it. */
  nowMs: number;
  /** Institutions up to this id are done. */
  afterId: string;
  /** The institution that the run before this one did not finish, and how far it came. */
  unfinished: { institutionId: string; after: RowPosition } | null;
  removed: number;
  /** Old rows that had to stay. */
  kept: number;
  institutions: number;
  /** Institutions given up for this time; the next pass takes them again. */
  failed: string[];
}

/** What a pass came to. */
export type PassResult = Pick<PassProgress, 'removed' | 'kept' | 'institutions'>;

/** What is done in a pass, chunk by chunk of one institution after another. */
interface Pass {
  institutions(nowMs: number, afterId: string, limit: number): Promise<string[]>;
  step(institutionId: string, nowMs: number, after: RowPosition | null): Promise<RetentionStep>;
  /** What has been done so far, for the Web UI. */
  told(progress: PassProgress): string;
}

const institutionsAtOnce = 50;
/** Between two chunks of an institution the database has time for others. */
const betweenChunks = '1 second';

/** A pass from its beginning. */
export const newPass = (nowMs: number): PassProgress => ({ nowMs, afterId: '', unfinished: null, removed: 0, kept: 0, institutions: 0, failed: [] });

/**
 * Goes through the institutions in the order of their ids, one at a time. An institution that fails keeps none of the
 * others from their turn; the pass then ends as failed, and says how many. Undefined when the run has become so long
 * that the workflow is to continue as a new one with `progress`.
 */
export async function passThroughInstitutions(progress: PassProgress, pass: Pass): Promise<PassResult | undefined> {
  for (;;) {
    tell(progress, pass);
    const ids = await pass.institutions(progress.nowMs, progress.afterId, institutionsAtOnce);
    if (ids.length === 0) return ended(progress, pass);
    for (const id of ids) {
      if ((await doInstitution(id, progress, pass)) === 'unfinished') return undefined;
      progress.afterId = id;
      progress.unfinished = null;
      tell(progress, pass);
      if (isLong()) return undefined;
    }
  }
}

/** Does one institution until nothing old is left or the run is long enough; counts into `progress` as it goes. */
async function doInstitution(id: string, progress: PassProgress, pass: Pass): Promise<'finished' | 'unfinished'> {
  try {
    let after = progress.unfinished?.institutionId === id ? progress.unfinished.after : null;
    for (;;) {
      const { removed, kept, next } = await pass.step(id, progress.nowMs, after);
      progress.removed += removed;
      progress.kept += kept;
      tell(progress, pass);
      if (next === null) break;
      after = next;
      progress.unfinished = { institutionId: id, after };
      await sleep(betweenChunks);
      if (isLong()) return 'unfinished';
    }
    progress.institutions += 1;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    progress.failed.push(id);
  }
  return 'finished';
}

function ended(progress: PassProgress, pass: Pass): PassResult {
  const complete = progress.failed.length === 0;
  upsertSearchAttributes([{ key: searchAttributes.outcome, value: complete ? 'done' : 'incomplete' }]);
  if (!complete) throw ApplicationFailure.nonRetryable(sentence(progress, pass), nonRetryable.sweepIncomplete);
  const { removed, kept, institutions } = progress;
  return { removed, kept, institutions };
}

const tell = (progress: PassProgress, pass: Pass): void => setCurrentDetails(sentence(progress, pass));

function sentence(progress: PassProgress, pass: Pass): string {
  const { failed, institutions, kept } = progress;
  const clauses = [`${pass.told(progress)} in ${counted(institutions, 'institution', 'institutions')}`];
  if (kept > 0) clauses.push(`kept because still to be sent: ${kept}`);
  if (failed.length > 0) clauses.push(`${counted(failed.length, 'institution', 'institutions')} could not be done`);
  return `${clauses.join('; ')}.`;
}
