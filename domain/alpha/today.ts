import type { InstitutionScope } from '../../db/database';
import { readTimeZone } from '../../db/repositories/institutions';
import { lastDays } from '../institutions/timeZone';
import type { Days } from './streak';

/** The institution's last so many days as of now, today first: their days begin at midnight of its time zone. */
export async function lastDaysOf(scope: InstitutionScope, now: Date, count: number): Promise<string[]> {
  return lastDays(await readTimeZone(scope), now, count);
}

/** The institution's today and yesterday. */
export async function daysOf(scope: InstitutionScope, now: Date): Promise<Days> {
  const [today = '', yesterday = ''] = await lastDaysOf(scope, now, 2);
  return { today, yesterday };
}
