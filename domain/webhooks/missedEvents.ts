import type { InstitutionScope } from '../../db/database';
import { listLastEventsChanges } from '../../db/repositories/support/delays';
import { findSupportEndpoint, type SupportEndpoint } from '../../db/repositories/support/endpoints';
import { countMissedByType, listFirstMissed, type EventRange, type MissedEvent, type MissedOfType } from '../../db/repositories/webhooks/recovery';
import { onClock } from '../clock';
import { requireFound } from '../errors';
import { endOfRange } from './endOfRange';
import { maxEventsCounted } from './recoverDeliveries';
import { subscribedTypes, typesMatchingAny } from './subscriptions';

/** Number of missed events that are listed. */
export const maxMissedListed = 20;

/** What an endpoint missed in a range. All is counted among the range's oldest 50,000 events of any type. */
export interface MissedEvents {
  /** The number of events that a recovery sends. */
  matched: number;
  /** Of these, those before the endpoint was created, and then those up to the last change of its subscriptions. */
  beforeCreation: number;
  beforeChange: number;
  /** What a recovery is for: the subscriptions of the endpoint; of wanted types those that it subscribes to. */
  counted: string[];
  /** The number of events of each of these types, the most frequent first; types without any are left out. */
  counts: MissedOfType[];
  /** The same of types that the endpoint does not subscribe to, which no recovery sends: the wanted ones; of all types only if its subscriptions were changed. */
  notSubscribed: MissedOfType[];
  /** When its subscriptions were last changed, by the clock of its institution; undefined if that is not known. */
  changedAt: Date | undefined;
  /** Whether the range has no more events than were looked at. */
  complete: boolean;
  /** The oldest events that a recovery sends. */
  first: MissedEvent[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Returns the types that are not counted for a recovery, and are to be named all the same. */
function otherTypes(subscribed: readonly string[], wanted: readonly string[], isChanged: boolean): string[] {
  if (wanted.includes('*') && !isChanged) return [];
  const known = new Set(subscribed);
  return typesMatchingAny(wanted).filter((type) => !known.has(type));
}

/** Returns which events of a range have no delivery to an endpoint: those that a recovery sends, and those that it does not, because the endpoint does not subscribe to them. */
export async function findMissedEvents(
  scope: InstitutionScope,
  { id, events, created_at, clock_offset_ms }: Pick<SupportEndpoint, 'id' | 'events' | 'created_at' | 'clock_offset_ms'>,
  { since, until, eventTypes }: Omit<EventRange, 'types'> & { eventTypes?: readonly string[] | undefined },
): Promise<MissedEvents> {
  const [change] = await listLastEventsChanges(scope.sql, scope.institutionId, [id], new Date());
  // The audit log has the real time, behind the clock of a sandbox.
  const changedAt = change && onClock({ clockOffsetMs: clock_offset_ms }, change.at);
  const subscribed = subscribedTypes(events, eventTypes);
  const others = otherTypes(subscribedTypes(events), eventTypes ?? ['*'], changedAt !== undefined);
  const { types, complete } = await countMissedByType(scope, { id, created_at, changedAt }, { since, until, types: [...subscribed, ...others] }, maxEventsCounted);
  const isSubscribed = new Set(subscribed);
  const counts = types.filter(({ type }) => isSubscribed.has(type));
  const matched = sum(counts.map(({ count }) => count));
  return {
    matched,
    beforeCreation: sum(counts.map(({ beforeCreation }) => beforeCreation)),
    beforeChange: sum(counts.map(({ beforeChange }) => beforeChange)),
    counted: eventTypes === undefined ? events : subscribed,
    counts,
    notSubscribed: types.filter(({ type }) => !isSubscribed.has(type)),
    changedAt,
    complete,
    first: matched === 0 ? [] : await listFirstMissed(scope, id, { since, until, types: subscribed }, { atMost: maxEventsCounted, limit: maxMissedListed }),
  };
}

/** Returns the same of an endpoint of the institution, up to the newest event if there is no `until`. Throws `not_found` for an unknown id, and for that of a deleted endpoint. */
export async function readMissedEvents(
  scope: InstitutionScope,
  endpointId: string,
  { since, until, eventTypes }: { since: Date; until?: Date | undefined; eventTypes?: readonly string[] | undefined },
  now: Date,
): Promise<MissedEvents> {
  const found = await findSupportEndpoint(scope.sql, endpointId);
  const endpoint = requireFound(found?.institution_id === scope.institutionId && found.deleted_at === null ? found : undefined, 'webhook endpoint');
  return findMissedEvents(scope, endpoint, { since, until: await endOfRange(scope, now, until), eventTypes });
}
