import type { InstitutionScope } from '../../db/database';
import { wrongTriesSince } from '../../db/repositories/signIn/codes';
import { lockPeriodMs, wrongTriesPerPeriod } from './limits';

/** While an account is locked no code opens a session. */
export interface AccountLock {
  /** Null of a lock whose last wrong try was written by the release before. */
  since: Date | null;
  /** An hour after the last wrong try. */
  until: Date;
}

/** Returns how many wrong codes were tried at an account within a day, and its lock, which begins with the tenth and ends an hour after the last; undefined if it is not locked. */
export async function readWrongTries(scope: InstitutionScope, userId: string, now: Date): Promise<{ tries: number; lock: AccountLock | undefined }> {
  const { tries, last_wrong_at: lastWrongAt, locked_at: since } = await wrongTriesSince(scope, userId, new Date(now.getTime() - wrongTriesPerPeriod.periodMs));
  if (tries < wrongTriesPerPeriod.tries || lastWrongAt === null) return { tries, lock: undefined };
  const until = new Date(lastWrongAt.getTime() + lockPeriodMs);
  return { tries, lock: until > now ? { since, until } : undefined };
}
