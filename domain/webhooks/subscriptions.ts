import { DomainError } from '../errors';
import type { EventType } from '../events/eventTypes';
import { eventTypesMatching } from '../events/patterns';

/** Returns the event types that one of the subscriptions matches, and one of `narrowed` if that is given. */
export function subscribedTypes(subscriptions: readonly string[], narrowed: readonly string[] = subscriptions): string[] {
  const wanted = new Set(typesMatchingAny(narrowed));
  return typesMatchingAny(subscriptions).filter((type) => wanted.has(type));
}

/** Returns the event types that one of the patterns matches, each once. */
export const typesMatchingAny = (patterns: readonly string[]): EventType[] => [...new Set(patterns.flatMap(eventTypesMatching))];

/** Maximum number of subscriptions in one request. */
export const maxSubscriptions = 50;

/** Returns the subscriptions of an endpoint without duplicates; `events_required` if there is none or one matches no event type. */
export function validateSubscriptions(wanted: readonly string[]): string[] {
  if (wanted.length === 0) throw new DomainError('events_required', 'events must contain at least one event type, prefix such as exam.*, or *.');
  const unknown = wanted.filter((pattern) => eventTypesMatching(pattern).length === 0);
  if (unknown.length > 0) throw new DomainError('events_required', `Unknown event type: ${unknown.join(', ')}. GET /v1/events/types lists them.`);
  return [...new Set(wanted)];
}
