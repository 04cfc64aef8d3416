import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '../../../domain/errors';

const stepMs = 50;

/**
 * The one refusal of a sign-in: the same words, and at the next full step of 50 ms since `since`, whether the account
 * does not exist, is suspended, or the code is wrong, used or expired.
 */
export async function refuseSignIn(since: Date): Promise<never> {
  const passedMs = Math.max(0, Date.now() - since.getTime());
  await pause(stepMs - (passedMs % stepMs));
  throw new DomainError('unauthorized', 'This login email and code do not open a session.');
}
