import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '../../../domain/errors';

const responseStepMs = 50;

/**
 * Rejects a sign-in with `unauthorized`: with the same message and at a multiple of 50 ms after `since`, whether the account
 * does not exist, is suspended, or the code is wrong, used or expired.
 */
export async function rejectSignIn(since: Date): Promise<never> {
  const elapsedMs = Math.max(0, Date.now() - since.getTime());
  await pause(responseStepMs - (elapsedMs % responseStepMs));
  throw new DomainError('unauthorized', 'This login email and code do not open a session.');
}
