import { ApplicationFailure } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { createTurns, NoTurn } from '../../db/turns';

/** How many activities that send letters of one institution go on in a process at the same time. */
const placesOfInstitution = 10;

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
export function sharedByInstitutions(): ActivityInterceptorsFactory {
  const places = createTurns(placesOfInstitution, 0);
  const placeOf = (institutionId: string): Promise<() => void> =>
    places.take(institutionId).catch((error: unknown) => {
      throw error instanceof NoTurn ? ApplicationFailure.retryable('Enough letters of this institution are being sent', 'InstitutionBusy') : error;
    });
  return () => ({
    inbound: {
      execute: async (input, next) => {
        // `run` would not tell a place that was not free from a turn that the activity itself did not get: of a transaction, or of the mailer.
        const giveBack = await placeOf(institutionOf(input.args));
        try {
          return await next(input);
        } finally {
          giveBack();
        }
      },
    },
  });
}
