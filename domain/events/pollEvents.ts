import type { InstitutionScope } from '../../db/database';
import { readLastEventTime, prunedUntil, readFeed, type EventRow, type FeedFilter } from '../../db/repositories/events/events';
import { DomainError, validationError } from '../errors';
import { eventTypesMatching } from './patterns';
import { isTooFarAhead, tooFarAheadMessage } from './sinceBounds';

/** The query of a feed request (section Webhooks and events): `type` is a pattern that matches a known type. */
export interface FeedQuery {
  since?: Date | undefined;
  type?: string | undefined;
  limit: number;
}

/** One page of the feed; pass `nextSince` as `since` of the next request. */
export interface FeedPage {
  events: EventRow[];
  hasMore: boolean;
  nextSince: Date | null;
}

/**
 * Returns the events after `since`, oldest first. A client that passes on each `nextSince` receives every event once, also
 * under concurrent commits: timestamps rise in commit order. `event_pruned` if a matching event after `since` was pruned;
 * `validation_error` for a `since` ahead of the clock, unless the feed itself has reached it: its timestamps never go
 * back, even if the machine's clock does.
 */
export async function pollEvents(scope: InstitutionScope, query: FeedQuery, now: Date): Promise<FeedPage> {
  const { limit, type = '*' } = query;
  const since = query.since ?? null;
  if (since !== null && isTooFarAhead(since, now) && since > (await readLastEventTime(scope))) {
    throw validationError({ path: 'since', message: `since ${tooFarAheadMessage}` });
  }
  const part: FeedFilter = { since, types: type === '*' ? 'all' : eventTypesMatching(type) };
  const found = await readFeed(scope, part, limit + 1);
  // Read after the feed, not before it: events pruned between the two reads are reported, never silently missed.
  if (since !== null) await rejectPruned(scope, part.types, since);
  const events = found.slice(0, limit);
  return { events, hasMore: found.length > limit, nextSince: events.at(-1)?.created_at ?? since };
}

async function rejectPruned(scope: InstitutionScope, types: FeedFilter['types'], since: Date): Promise<void> {
  const pruned = await prunedUntil(scope, types);
  if (pruned === null || pruned <= since) return;
  throw new DomainError('event_pruned', `Events up to ${pruned.toISOString()} are no longer kept; continue with since set to that time, or omit since to start from the oldest event.`);
}
