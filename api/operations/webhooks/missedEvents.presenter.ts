import type { MissedOfType } from '../../../db/repositories/webhooks/recovery';
import type { MissedEvents } from '../../../domain/webhooks/missedEvents';
import { isoOrNull } from '../../http/request/fields';
import type { MissedEventsResponse } from './missedEvents.schemas';

const presentCounts = (types: readonly MissedOfType[]): { type: string; count: number }[] => types.map(({ type, count }) => ({ type, count }));

/** The events of a range that have no delivery to an endpoint. */
export const presentMissedEvents = ({ matched, complete, counted, counts, notSubscribed, changedAt, first }: MissedEvents): MissedEventsResponse => ({
  matched,
  complete,
  counted,
  types: presentCounts(counts),
  not_subscribed: presentCounts(notSubscribed),
  subscriptions_changed_at: isoOrNull(changedAt ?? null),
  first: first.map(({ id, type, created_at }) => ({ id, type, created_at: created_at.toISOString() })),
});
