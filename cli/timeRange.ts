import { path } from './call';
import type { CliContext } from './context';
import { getField } from './fields';
import { answerIfAny } from './notes';
import type { TimeRange } from './options';
import type { Moment } from './timeZone';

const isRelative = (moment: Moment | undefined): boolean => typeof moment === 'number' || /^(?:today|yesterday)/.test(moment ?? '');

/**
 * Returns a range as the API takes it. Ages and named days count from the real time, and rows of a sandbox have its own clock, which
 * may be ahead: a note says so where they are used for one.
 */
export async function resolveTimeRange(context: CliContext, institutionId: string, { since, until }: TimeRange): Promise<{ since: string | undefined; until: string | undefined }> {
  if (isRelative(since) || isRelative(until)) {
    const institution = await answerIfAny(context.api.call('GET', path`/institutions/${institutionId}`, { asPlatform: true }));
    if (typeof getField(institution, 'sandbox_of') === 'string') context.note("Ages, today and yesterday count from the real time. This is a sandbox, whose clock may be ahead: then give times by the sandbox's clock.");
  }
  return { since: context.timeZone.toTimestampIfGiven(since), until: context.timeZone.toTimestampIfGiven(until) };
}
