import type { InstitutionScope } from '../../db/database';
import { readLastEventTime } from '../../db/repositories/events/clock';
import { prunedUntil, readFeed, type EventRow, type FeedFilter } from '../../db/repositories/events/events';
import { type ClockOffset, toRealTime } from '../clock';
import { DomainError, validationError } from '../errors';
import { startOfIds } from '../ids';
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
export async function pollEvents(scope: InstitutionScope, query: FeedQuery, clock: FeedClock): Promise<FeedPage> {
  const { limit, type = '*' } = query;
  const since = query.since ?? null;
  const isAhead = since !== null && isTooFarAhead(since, clock.now);
  if (isAhead && since > (await readLastEventTime(scope))) {
    throw validationError({ path: 'since', message: `since ${tooFarAheadMessage}` });
  }
  const fromId = since === null || isAhead ? '' : oldestId(since, clock);
  const part: FeedFilter = { since, fromId, types: type === '*' ? 'all' : eventTypesMatching(type) };
  const found = await readFeed(scope, part, limit + 1);
  // Read after the feed, not before it: events pruned between the two reads are reported, never silently missed.
  if (since !== null) await rejectPruned(scope, part.types, since);
  const events = found.slice(0, limit);
  return { events, hasMore: found.length > limit, nextSince: events.at(-1)?.created_at ?? since };
}

/** The clock of the institution, as `pollEvents` reads it. */
type FeedClock = Partial<ClockOffset> & { readonly now: Date };

/** How much longer before its event an id can be made than clocks, transactions and events of the same millisecond take, in ms. */
const idMarginMs = 24 * 3_600_000;

/** What the id of an event after `since` is not before. Ids are made by the real time, which the clock of a sandbox is ahead of. */
const oldestId = (since: Date, clock: FeedClock): string => startOfIds('evt', new Date(toRealTime(clock, since).getTime() - idMarginMs));

async function rejectPruned(scope: InstitutionScope, types: FeedFilter['types'], since: Date): Promise<void> {
  const pruned = await prunedUntil(scope, types);
  if (pruned === null || pruned <= since) return;
  throw new DomainError('event_pruned', `Events up to ${pruned.toISOString()} are no longer kept; continue with since set to that time, or omit since to start from the oldest event.`);
}
