import type { InstitutionScope } from '../../db/database';
import { readLastEventTime, prunedUntil, readFeed, type EventRow, type FeedFilter } from '../../db/repositories/events/events';
import { DomainError, validationError } from '../errors';
import { eventTypesMatching } from './patterns';
import { isTooFarAhead, tooFarAheadMessage } from './sinceBounds';

/** What a poller asks for (section Webhooks and events): `type` is a pattern that names a known type. */
export interface FeedQuery {
  since?: Date | undefined;
  type?: string | undefined;
  limit: number;
}

/** One step along the feed; `nextSince` is what the next step passes as `since`. */
export interface FeedPage {
  events: EventRow[];
  hasMore: boolean;
  nextSince: Date | null;
}

/**
 * The events after `since`, oldest first. Who passes each `nextSince` on sees every event once, whatever commits
 * meanwhile: stamps rise in the order of commits. `event_pruned` when an event after `since` that fits was pruned;
 * `validation_error` for a `since` that lies ahead of the clock, unless the feed itself is there: its stamps never go back, though
 * the machine's clock may.
 */
export async function pollEvents(scope: InstitutionScope, query: FeedQuery, now: Date): Promise<FeedPage> {
  const { limit, type = '*' } = query;
  const since = query.since ?? null;
  if (since !== null && isTooFarAhead(since, now) && since > (await readLastEventTime(scope))) {
    throw validationError({ path: 'since', message: `since ${tooFarAheadMessage}` });
  }
  const part: FeedFilter = { since, types: type === '*' ? 'all' : eventTypesMatching(type) };
  const found = await readFeed(scope, part, limit + 1);
  // After the feed, not before it: what is pruned between the two is then told, never missed in silence.
  if (since !== null) await rejectPruned(scope, part.types, since);
  const events = found.slice(0, limit);
  return { events, hasMore: found.length > limit, nextSince: events.at(-1)?.created_at ?? since };
}

async function rejectPruned(scope: InstitutionScope, types: FeedFilter['types'], since: Date): Promise<void> {
  const pruned = await prunedUntil(scope, types);
  if (pruned === null || pruned <= since) return;
  throw new DomainError('event_pruned', `Events up to ${pruned.toISOString()} are no longer kept; poll on from there, or without since from the oldest kept.`);
}
