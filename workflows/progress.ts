import { ApplicationFailure } from '@temporalio/workflow';
import { nonRetryable } from './contract';

/** The largest distance of a Date from 1970, in ms. */
const maxDateMs = 8.64e15;

/** Whether a value has the shape of the initial one: the same type, and numbers that can be a count or a time. */
function hasSameShape(beginning: unknown, value: unknown): boolean {
  if (typeof value !== typeof beginning || Array.isArray(value) !== Array.isArray(beginning)) return false;
  return typeof value !== 'number' || (Number.isInteger(value) && Math.abs(value) <= maxDateMs);
}

function isProgress<Progress extends object>(before: unknown, beginning: Progress): before is Progress {
  if (typeof before !== 'object' || before === null) return false;
  const given = new Map<string, unknown>(Object.entries(before));
  return Object.entries(beginning).every(([name, value]) => hasSameShape(value, given.get(name)));
}

/**
 * Returns the progress of the previous run, or the initial one if there was none. Any other value, which only an operator
 * who starts the workflow manually can pass, fails the workflow immediately; otherwise every workflow task would fail and
 * be retried forever.
 */
export function resumeProgress<Progress extends object>(before: unknown, beginning: Progress): Progress {
  if (before === undefined) return beginning;
  if (isProgress(before, beginning)) return before;
  throw ApplicationFailure.nonRetryable('The progress argument is only passed by a previous run; start the workflow without it', nonRetryable.notProgress);
}
