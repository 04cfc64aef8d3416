import { ActivityFailure, ApplicationFailure, setCurrentDetails, sleep, upsertSearchAttributes, type ActivityOptions } from '@temporalio/workflow';
import { nonRetryable, searchAttributes } from './contract';
import { formatCount } from './formatCount';
import { shouldContinueAsNew } from './shouldContinueAsNew';

/** How far a pass through the institutions is; what it hands on when it continues as a new run. */
export interface PassProgress<Position extends object> {
  /** The pass's own time: how old something is, is counted from it. */
  nowMs: number;
  /** Institutions up to this id are done. */
  afterId: string;
  /** The institution that the run before this one did not finish, and how far it came. */
  unfinished: { institutionId: string; after: Position } | null;
  /** Institutions that are done; those passed over are none of them. */
  institutions: number;
  /** Institutions given up for this time. */
  failed: string[];
}

/** What is done in a pass, chunk by chunk of one institution after another. */
interface Pass<Position extends object> {
  institutions(nowMs: number, afterId: string, limit: number): Promise<string[]>;
  /** Does and counts one chunk; answers where the next begins, or that it was the last, or that the institution is passed over. */
  step(institutionId: string, after: Position | null): Promise<Position | 'done' | 'passed over'>;
  /** What has been done so far, for the Web UI: of institutions so many, then further clauses. */
  summarize(institutions: string): string[];
}

/** How long one step of a sweep is tried. Of a chunk, its institution is given up for this time then; of the list of institutions, the sweep fails. */
export const sweepStepOptions: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '30 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
};

const institutionsAtOnce = 50;
/** Between two chunks of an institution the database has time for others. */
const chunkPause = '1 second';

/** A pass from its beginning. */
export const newPassProgress = <Position extends object>(nowMs: number): PassProgress<Position> => ({ nowMs, afterId: '', unfinished: null, institutions: 0, failed: [] });

/**
 * Goes through the institutions in the order of their ids, one at a time. An institution that fails keeps none of the
 * others from their turn; the pass then ends as failed, and says how many. `unfinished` when the run has become so long
 * that the workflow is to continue as a new one with `progress`.
 */
export async function forEachInstitution<Position extends object>(progress: PassProgress<Position>, pass: Pass<Position>): Promise<'finished' | 'unfinished'> {
  for (;;) {
    showProgress(progress, pass);
    const ids = await pass.institutions(progress.nowMs, progress.afterId, institutionsAtOnce);
    if (ids.length === 0) {
      finishPass(progress, pass);
      return 'finished';
    }
    for (const id of ids) {
      if ((await processInstitution(id, progress, pass)) === 'unfinished') return 'unfinished';
      progress.afterId = id;
      progress.unfinished = null;
      showProgress(progress, pass);
      if (shouldContinueAsNew()) return 'unfinished';
    }
  }
}

/** Does one institution until nothing is left or the run is long enough. */
async function processInstitution<Position extends object>(id: string, progress: PassProgress<Position>, pass: Pass<Position>): Promise<'finished' | 'unfinished'> {
  try {
    let after = progress.unfinished?.institutionId === id ? progress.unfinished.after : null;
    for (;;) {
      const next = await pass.step(id, after);
      showProgress(progress, pass);
      if (next === 'passed over') return 'finished';
      if (next === 'done') break;
      after = next;
      progress.unfinished = { institutionId: id, after };
      await sleep(chunkPause);
      if (shouldContinueAsNew()) return 'unfinished';
    }
    progress.institutions += 1;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    progress.failed.push(id);
  }
  return 'finished';
}

function finishPass<Position extends object>(progress: PassProgress<Position>, pass: Pass<Position>): void {
  const complete = progress.failed.length === 0;
  upsertSearchAttributes([{ key: searchAttributes.outcome, value: complete ? 'done' : 'incomplete' }]);
  if (!complete) throw ApplicationFailure.nonRetryable(describeProgress(progress, pass), nonRetryable.sweepIncomplete);
}

const showProgress = <Position extends object>(progress: PassProgress<Position>, pass: Pass<Position>): void => setCurrentDetails(describeProgress(progress, pass));

function describeProgress<Position extends object>({ failed, institutions }: PassProgress<Position>, pass: Pass<Position>): string {
  const clauses = pass.summarize(formatCount(institutions, 'institution', 'institutions'));
  if (failed.length > 0) clauses.push(`${formatCount(failed.length, 'institution', 'institutions')} could not be done`);
  return `${clauses.join('; ')}.`;
}
