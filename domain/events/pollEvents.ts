import type { InstitutionScope } from '../../db/database';
import { newestStamp, prunedUntil, readFeed, type EventRow, type FeedPart } from '../../db/repositories/events/events';
import { DomainError, invalid } from '../errors';
import { typesMatching } from './patterns';
import { isTooFarAhead, tooFarAhead } from './sinceBounds';

/** What a poller asks for (section Webhooks and events): `type` is a pattern that names a known type. */
export interface FeedQuery {
  since?: Date | undefined;
  type?: string | undefined;
  limit: number;
}

/** One step along the feed; `nextSince` is what the next step passes as `since`. */
export interface FeedStep {
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
export async function followEvents(scope: InstitutionScope, query: FeedQuery, now: Date): Promise<FeedStep> {
  const { limit, type = '*' } = query;
  const since = query.since ?? null;
  if (since !== null && isTooFarAhead(since, now) && since > (await newestStamp(scope))) {
    throw invalid({ path: 'since', message: `since ${tooFarAhead}` });
  }
  const part: FeedPart = { since, types: type === '*' ? 'all' : typesMatching(type) };
  const found = await readFeed(scope, part, limit + 1);
  // After the feed, not before it: what is pruned between the two is then told, never missed in silence.
  if (since !== null) await refusePruned(scope, part.types, since);
  const events = found.slice(0, limit);
  return { events, hasMore: found.length > limit, nextSince: events.at(-1)?.created_at ?? since };
}

async function refusePruned(scope: InstitutionScope, types: FeedPart['types'], since: Date): Promise<void> {
  const pruned = await prunedUntil(scope, types);
  if (pruned === null || pruned <= since) return;
  throw new DomainError('event_pruned', `Events up to ${pruned.toISOString()} are no longer kept; poll on from there, or without since from the oldest kept.`);
}
