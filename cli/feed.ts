import type { Event } from '../clients/typescript/src/openapi';
import { pause } from './call';
import type { KeyContext } from './context';
import { CliError } from './errors';
import type { EventPattern } from './eventPattern';
import { matchesPattern } from './eventTypes';
import { timeOfKey } from './timeRange';

/** Which events are read. */
export interface FeedFilter {
  /** `exam.graded`, `exam.*`; empty for all. */
  types: readonly EventPattern[];
}

/** One answer of the feed. */
export interface FeedPage {
  events: Event[];
  /** Where to go on. */
  since: string | undefined;
  hasMore: boolean;
}

const maxPageSize = 200;
const pollIntervalMs = 1_000;
const maxBackoffMs = 30_000;
/** Clocks of the service's processes differ by less. */
const clockMarginMs = 60_000;

/** Reads the events after `since`, oldest first; from the oldest one that is kept without it. */
export async function readFeed({ api }: KeyContext, { types }: FeedFilter, since: string | undefined, limit = maxPageSize): Promise<FeedPage> {
  const [type, ...others] = types;
  const query = { limit, ...(since === undefined ? {} : { since }), ...(type === undefined || others.length > 0 ? {} : { type }) };
  const { items, has_more, next_since } = await api.call('GET', '/events', { query });
  const events = others.length > 0 ? items.filter((event) => types.some((pattern) => matchesPattern(event.type, pattern))) : items;
  return { events, since: next_since ?? since, hasMore: has_more };
}

/**
 * Returns the end of the feed at this moment. A sandbox may be ahead of the real time, and only its feed says how far: what
 * there is since a minute ago is skipped.
 */
export async function findFeedEnd(context: KeyContext): Promise<string> {
  let position = new Date((await timeOfKey(context)).getTime() - clockMarginMs).toISOString();
  for (;;) {
    const { since = position, hasMore } = await readFeed(context, { types: [] }, position);
    position = since;
    if (!hasMore) return position;
  }
}

/** Errors that may pass; a sandbox answers `conflict` while it is reset. */
const transientErrorCodes = new Set(['unreachable', 'rate_limited', 'rate_limiter_unavailable', 'internal_error', 'conflict']);

const isTransient = (error: unknown): error is CliError => error instanceof CliError && transientErrorCodes.has(error.details.code);

/**
 * Yields the events after `since` as they come, each once, until the command is interrupted. What the API cannot answer now is
 * asked again, after waits that grow; only if it never answered is its error thrown.
 */
export async function* followFeed(context: KeyContext, filter: FeedFilter, begin: string): AsyncGenerator<Event> {
  let since = begin;
  let hasAnswered = false;
  let failures = 0;
  for (;;) {
    let waitMs = 0;
    try {
      const page = await readFeed(context, filter, since);
      if (failures > 0) context.note('It answers again.');
      [failures, hasAnswered] = [0, true];
      yield* page.events;
      since = page.since ?? since;
      if (!page.hasMore) waitMs = pollIntervalMs;
    } catch (error) {
      if (!hasAnswered || !isTransient(error)) throw error;
      if (failures === 0) context.note(`${error.lines()[0] ?? ''}; it is asked again until it answers.`);
      waitMs = Math.min(pollIntervalMs * 2 ** failures, maxBackoffMs);
      failures += 1;
    }
    await pause(waitMs, context.signal);
  }
}
