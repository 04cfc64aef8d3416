import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import { isOperationalSql } from './operational';

/** An event of the feed: its envelope as the JSON text that is stored, signed and sent. */
export interface EventRow {
  created_at: Date;
  body: string;
}

/**
 * Which part of the feed: some types, or all that are not operational, strictly after `since` (null: from the oldest kept). No event
 * after `since` has an id before `fromId`, so partitions with older ids are not looked into ('': all are).
 */
export interface FeedFilter {
  types: readonly string[] | 'all';
  since: Date | null;
  fromId: string;
}

// Reads past operational events, which have no index of their own: an endpoint has few of them, and 20,000 in a row take 5 ms.
const wholeFeed = statement(
  'events_feed',
  `SELECT created_at, body FROM events WHERE institution_id = $1 AND created_at > $2::timestamptz AND id >= $4 AND NOT ${isOperationalSql('type')} ORDER BY created_at LIMIT $3`,
);

// One index scan per type, so that a rare type is found without reading other events.
const feedOfTypes = statement(
  'events_feed_of_types',
  `SELECT e.created_at, e.body
     FROM unnest($5::text[]) AS t (type)
     CROSS JOIN LATERAL (
       SELECT created_at, body FROM events
        WHERE institution_id = $1 AND type = t.type AND created_at > $2::timestamptz AND id >= $4
        ORDER BY created_at LIMIT $3) e
    ORDER BY e.created_at LIMIT $3`,
);

/** Returns the next events of the institution in commit order, at most `limit`. */
export function readFeed(scope: InstitutionScope, { types, since, fromId }: FeedFilter, limit: number): Promise<EventRow[]> {
  const start = [scope.institutionId, since ?? '-infinity', limit, fromId];
  return types === 'all' ? scope.sql(wholeFeed, start) : scope.sql(feedOfTypes, [...start, types]);
}

const newestPruned = statement(
  'events_newest_pruned',
  `SELECT max(pruned_until) AS pruned_until FROM pruned_events
    WHERE institution_id = $1 AND (type = ANY ($2) OR ($2::text[] IS NULL AND NOT ${isOperationalSql('type')}))`,
);

/** Returns when the newest pruned event of these types was created; null if none was pruned. */
export async function prunedUntil(scope: InstitutionScope, types: FeedFilter['types']): Promise<Date | null> {
  const [row] = await scope.sql<{ pruned_until: Date | null }>(newestPruned, [scope.institutionId, types === 'all' ? null : types]);
  return row?.pruned_until ?? null;
}

const lockForKeyShare = statement('event_share', 'SELECT 1 FROM events WHERE institution_id = $1 AND id = $2 FOR KEY SHARE');

/** Protects an event from pruning until the transaction ends; false if it is already pruned. */
export async function lockEventForKeyShare(scope: InstitutionScope, id: string): Promise<boolean> {
  return (await scope.sql(lockForKeyShare, [scope.institutionId, id])).length > 0;
}

const lockManyForKeyShare = statement('events_share', 'SELECT id FROM events WHERE institution_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR KEY SHARE');

/** Protects events from pruning until the transaction ends; returns those that are not pruned yet. */
export async function lockEventsForKeyShare(scope: InstitutionScope, ids: readonly string[]): Promise<string[]> {
  return (await scope.sql<{ id: string }>(lockManyForKeyShare, [scope.institutionId, ids])).map(({ id }) => id);
}
