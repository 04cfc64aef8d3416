import { ApplicationFailure } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { createKeyedSemaphore } from '../lib/keyedSemaphore';

/** Maximum number of concurrent activities of one institution on a queue's worker, per process. */
export const slotsPerInstitution = { emails: 10, archives: 2, erasures: 8 } as const;

/** Returns the institution that an activity is about: its first argument, or in it. */
function institutionOf([of]: readonly unknown[]): string {
  if (typeof of === 'string') return of;
  if (typeof of !== 'object' || of === null || !('institutionId' in of) || typeof of.institutionId !== 'string') {
    throw new Error('The first argument of an activity of this queue must be the institution, or contain it');
  }
  return of.institutionId;
}

/**
 * Gives each institution some slots of a queue's worker. Without a free slot an activity fails immediately and is retried: waiting
 * would occupy the slot that it waits for.
 */
export function limitPerInstitution(queue: keyof typeof slotsPerInstitution): ActivityInterceptorsFactory {
  const busy = (): Error => ApplicationFailure.retryable(`The limit of concurrent ${queue} of this institution is reached`, 'InstitutionBusy');
  const semaphore = createKeyedSemaphore(slotsPerInstitution[queue], 0, busy);
  return () => ({
    inbound: { execute: (input, next) => semaphore.run(institutionOf(input.args), () => next(input)) },
  });
}
