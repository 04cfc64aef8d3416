import type { InstitutionScope } from '../../db/database';
import { readLastEventTime } from '../../db/repositories/events/clock';

/**
 * Returns where a range of what happened ends: at `until`, and at the latest now or at the newest event. Each event of an institution has a
 * time of its own, so that many at once are ahead of the clock.
 */
export async function endOfRange(scope: InstitutionScope, now: Date, until: Date | undefined): Promise<Date> {
  const newest = await readLastEventTime(scope);
  const latest = newest > now ? newest : now;
  return until !== undefined && until < latest ? until : latest;
}
