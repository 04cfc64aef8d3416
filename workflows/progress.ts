import { ApplicationFailure } from '@temporalio/workflow';
import { nonRetryable } from './contract';

/** The times that a Date can hold reach so far from 1970, in ms. */
const maxDateMs = 8.64e15;

/** Whether a value can stand where this one does at the beginning: of its kind, and a number that can be a count or a time. */
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
 * How far the run before this one came, or the beginning where there was none. Anything else, which only somebody who starts
 * the workflow by hand can give, fails it at once: it would break every task of the workflow, which would be tried for ever.
 */
export function resumeProgress<Progress extends object>(before: unknown, beginning: Progress): Progress {
  if (before === undefined) return beginning;
  if (isProgress(before, beginning)) return before;
  throw ApplicationFailure.nonRetryable('What a run before this one hands on is not for others to give: start the workflow without it', nonRetryable.notProgress);
}
