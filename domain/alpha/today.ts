import type { InstitutionScope } from '../../db/database';
import { readTimeZone } from '../../db/repositories/institutions/institutions';
import { addCalendarDays, lastDays, localDay, startOfDay } from '../../lib/timeZone';
import type { Days } from './streak';

/** The institution's last so many days as of now, today first: their days begin at midnight of its time zone. */
export async function lastInstitutionDays(scope: InstitutionScope, now: Date, count: number): Promise<string[]> {
  return lastDays(await readTimeZone(scope), now, count);
}

/** The institution's today and yesterday. */
export async function todayAndYesterday(scope: InstitutionScope, now: Date): Promise<Days> {
  const [today = '', yesterday = ''] = await lastInstitutionDays(scope, now, 2);
  return { today, yesterday };
}

/** The moment at which the institution's today ends, and its next day begins. */
export async function endOfToday(scope: InstitutionScope, now: Date): Promise<Date> {
  const timeZone = await readTimeZone(scope);
  return startOfDay(timeZone, addCalendarDays(localDay(timeZone, now), 1));
}
