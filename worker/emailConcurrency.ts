import { ApplicationFailure } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { createKeyedSemaphore } from '../lib/keyedSemaphore';

/** How many activities that send letters of one institution go on in a process at the same time. */
const slotsPerInstitution = 10;

/** Whose letters an activity sends: its first argument says it. */
function institutionOf([of]: readonly unknown[]): string {
  if (typeof of !== 'object' || of === null || !('institutionId' in of) || typeof of.institutionId !== 'string') {
    throw new Error('An activity that sends letters is told the institution first');
  }
  return of.institutionId;
}

/**
 * Gives each institution ten of the places of the worker that sends letters. What finds none fails at once, to be tried
 * again: waiting would take the place that it waits for.
 */
export function limitEmailsPerInstitution(): ActivityInterceptorsFactory {
  const busy = (): Error => ApplicationFailure.retryable('Enough letters of this institution are being sent', 'InstitutionBusy');
  const semaphore = createKeyedSemaphore(slotsPerInstitution, 0, busy);
  return () => ({
    inbound: { execute: (input, next) => semaphore.run(institutionOf(input.args), () => next(input)) },
  });
}
