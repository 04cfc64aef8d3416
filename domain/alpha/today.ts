import type { InstitutionScope } from '../../db/database';
import { readTimeZone } from '../../db/repositories/institutions/institutions';
import { addCalendarDays, lastDays, localDay, startOfDay } from '../../lib/timeZone';
import type { Days } from './streak';

/** Returns the institution's last `count` days as of `now`, today first; a day begins at midnight of its time zone. */
export async function lastInstitutionDays(scope: InstitutionScope, now: Date, count: number): Promise<string[]> {
  return lastDays(await readTimeZone(scope), now, count);
}

/** Returns the institution's today and yesterday. */
export async function todayAndYesterday(scope: InstitutionScope, now: Date): Promise<Days> {
  const [today = '', yesterday = ''] = await lastInstitutionDays(scope, now, 2);
  return { today, yesterday };
}

/** Returns the time at which the institution's today ends. */
export async function endOfToday(scope: InstitutionScope, now: Date): Promise<Date> {
  const timeZone = await readTimeZone(scope);
  return startOfDay(timeZone, addCalendarDays(localDay(timeZone, now), 1));
}
