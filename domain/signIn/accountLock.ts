import type { InstitutionScope } from '../../db/database';
import { wrongTriesSince } from '../../db/repositories/signIn/codes';
import { lockPeriodMs, wrongTriesPerPeriod } from './limits';

/** Returns until when an account is locked, because ten wrong codes were tried within a day, the last of them within an hour; undefined if it is not. Meanwhile no code opens a session. */
export async function lockedUntil(scope: InstitutionScope, userId: string, now: Date): Promise<Date | undefined> {
  const { tries, last_wrong_at: lastWrongAt } = await wrongTriesSince(scope, userId, new Date(now.getTime() - wrongTriesPerPeriod.periodMs));
  if (tries < wrongTriesPerPeriod.tries || lastWrongAt === null) return undefined;
  const until = new Date(lastWrongAt.getTime() + lockPeriodMs);
  return until > now ? until : undefined;
}
