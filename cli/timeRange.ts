import { formatSpan } from '../lib/span';
import { localDateTime } from '../lib/timeZone';
import type { CliContext, KeyContext } from './context';
import { getField, getNumber } from './fields';
import { readInstitution } from './notes';
import type { TimeRange } from './options';
import type { Moment } from './timeZone';

/** Whether a moment counts from now: an age, or a day by its name. */
const isRelative = (moment: Moment | undefined): boolean => typeof moment === 'number' || /^(?:today|yesterday)/.test(moment ?? '');

/** Returns what the clock of an institution shows: of a sandbox its own, of any other the real time. */
export function clockTime(institution: unknown): Date {
  const now = getField(institution, 'clock.now');
  return typeof now === 'string' ? new Date(now) : new Date();
}

/** Returns a time of the API to the minute, by the clocks of a command and of the school where those are others. */
function toTheMinute({ timeZone }: Pick<CliContext, 'timeZone'>, at: Date, schoolZone: unknown): string {
  const shown = timeZone.show(at.toISOString()).replace(/:\d{2}\.\d{3}/, '');
  if (typeof schoolZone !== 'string') return shown;
  const local = localDateTime(schoolZone, at).slice(0, 16);
  return shown.startsWith(local) ? shown : `${shown} (${local} ${schoolZone})`;
}

/**
 * Says, where a range by age or by a named day is used for a sandbox whose clock was moved, that these count from the real time: rows
 * of a sandbox have its own clock.
 */
export async function noteMovedClock(context: CliContext, institutionId: string, { since, until }: TimeRange): Promise<void> {
  if (!isRelative(since) && !isRelative(until)) return;
  const institution = await readInstitution(context, institutionId);
  const aheadSeconds = getNumber(institution, 'clock.offset_seconds') ?? 0;
  if (aheadSeconds === 0) return;
  const shown = toTheMinute(context, clockTime(institution), getField(institution, 'time_zone'));
  context.note(`Ages, today and yesterday count from the real time. The clock of this sandbox was moved: it shows ${shown}, ${formatSpan(aheadSeconds * 1_000)} ahead. Give times by that clock.`);
}

/** Returns the time by which ages and named days count for a key, and says once if the clock of its sandbox was moved. */
export const timeOfKey = (context: KeyContext): Promise<Date> =>
  context.api.now((now, aheadMs) => context.note(`The clock of this sandbox is ${formatSpan(aheadMs)} ahead: it shows ${toTheMinute(context, now, undefined)}. Ages, today and yesterday count by it.`));

/** Returns the time of a moment; the API is asked for its own for what counts from now, because a sandbox may be ahead. */
export const resolveMoment = async (context: KeyContext, moment: Moment): Promise<string> => context.timeZone.toTimestamp(moment, isRelative(moment) ? await timeOfKey(context) : new Date());

/** Returns a range as the API takes it, and says what it counts from where that may surprise. */
export async function resolveTimeRange(context: CliContext, institutionId: string, range: TimeRange): Promise<{ since: string | undefined; until: string | undefined }> {
  await noteMovedClock(context, institutionId, range);
  return { since: context.timeZone.toTimestampIfGiven(range.since), until: context.timeZone.toTimestampIfGiven(range.until) };
}
