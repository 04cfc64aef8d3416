import { ActivityFailure, ApplicationFailure, setCurrentDetails, sleep, type ActivityOptions } from '@temporalio/workflow';
import { nonRetryable, priorities } from './contract';
import { formatCount } from './formatCount';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';

/** The progress of a pass through the institutions; passed on when it continues as a new run. */
export interface PassProgress<Position extends object> {
  /** The time from which the age of rows is counted. */
  nowMs: number;
  /** Institutions up to this id are done. */
  afterId: string;
  /** The institution that the previous run did not finish, and its position. */
  unfinished: { institutionId: string; after: Position } | null;
  /** Number of institutions done, without skipped ones. */
  institutions: number;
  /** Institutions that failed this time. */
  failed: string[];
}

/** What a pass does, chunk by chunk of one institution after another. */
interface Pass<Position extends object> {
  institutions(nowMs: number, afterId: string, limit: number): Promise<string[]>;
  /** Processes and counts one chunk; returns the position of the next, or `done` after the last, or `skipped` for an institution without work. */
  step(institutionId: string, after: Position | null): Promise<Position | 'done' | 'skipped'>;
  /** Returns the result so far, for the Web UI: the number of institutions, then further clauses. */
  summarize(institutions: string): string[];
}

/** How long one step of a sweep is retried. After it a chunk's institution is skipped for this time; a failed list of institutions fails the sweep. */
export const sweepStepOptions: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '30 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  priority: { priorityKey: priorities.sweep },
};

const institutionsAtOnce = 50;
/** Pause between two chunks of an institution, to limit the load on the database. */
const chunkPause = '1 second';

/** Returns the progress of a new pass. */
export const newPassProgress = <Position extends object>(nowMs: number): PassProgress<Position> => ({ nowMs, afterId: '', unfinished: null, institutions: 0, failed: [] });

/**
 * Processes the institutions in the order of their ids, one at a time. A failing institution does not affect the others;
 * the pass then ends as failed, with their number. `unfinished` if the run has become so long that the workflow must
 * continue as a new one with `progress`.
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

/** Processes one institution until nothing is left or the run is long enough. */
async function processInstitution<Position extends object>(id: string, progress: PassProgress<Position>, pass: Pass<Position>): Promise<'finished' | 'unfinished'> {
  try {
    let after = progress.unfinished?.institutionId === id ? progress.unfinished.after : null;
    for (;;) {
      const next = await pass.step(id, after);
      showProgress(progress, pass);
      if (next === 'skipped') return 'finished';
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
  setOutcome(complete ? 'done' : 'incomplete');
  if (!complete) throw ApplicationFailure.nonRetryable(describeProgress(progress, pass), nonRetryable.sweepIncomplete);
}

const showProgress = <Position extends object>(progress: PassProgress<Position>, pass: Pass<Position>): void => setCurrentDetails(describeProgress(progress, pass));

function describeProgress<Position extends object>({ failed, institutions }: PassProgress<Position>, pass: Pass<Position>): string {
  const clauses = pass.summarize(formatCount(institutions, 'institution', 'institutions'));
  if (failed.length > 0) clauses.push(`${formatCount(failed.length, 'institution', 'institutions')} failed`);
  return `${clauses.join('; ')}.`;
}
