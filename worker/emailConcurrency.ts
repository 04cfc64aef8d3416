import { ApplicationFailure } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { createKeyedSemaphore } from '../lib/keyedSemaphore';

/** Maximum number of concurrent activities that send emails of one institution, per process. */
const slotsPerInstitution = 10;

/** Returns the institution whose emails an activity sends, from its first argument. */
function institutionOf([of]: readonly unknown[]): string {
  if (typeof of !== 'object' || of === null || !('institutionId' in of) || typeof of.institutionId !== 'string') {
    throw new Error('The first argument of an activity that sends emails must contain the institution');
  }
  return of.institutionId;
}

/**
 * Gives each institution ten slots of the worker that sends emails. Without a free slot an activity fails immediately and is
 * retried: waiting would occupy the slot that it waits for.
 */
export function limitEmailsPerInstitution(): ActivityInterceptorsFactory {
  const busy = (): Error => ApplicationFailure.retryable('The limit of concurrent emails of this institution is reached', 'InstitutionBusy');
  const semaphore = createKeyedSemaphore(slotsPerInstitution, 0, busy);
  return () => ({
    inbound: { execute: (input, next) => semaphore.run(institutionOf(input.args), () => next(input)) },
  });
}
