import { didYouMean } from '../../lib/closestMatch';
import { fieldError } from '../errors';
import type { EventType } from '../events/eventTypes';
import { eventPatterns, eventTypesMatching } from '../events/patterns';

/** Returns the event types that one of the subscriptions matches, and one of `narrowed` if that is given. */
export function subscribedTypes(subscriptions: readonly string[], narrowed: readonly string[] = subscriptions): string[] {
  const wanted = new Set(typesMatchingAny(narrowed));
  return typesMatchingAny(subscriptions).filter((type) => wanted.has(type));
}

/** Returns the event types that one of the patterns matches, each once. */
export const typesMatchingAny = (patterns: readonly string[]): EventType[] => [...new Set(patterns.flatMap(eventTypesMatching))];

/** Maximum number of subscriptions in one request. */
export const maxSubscriptions = 50;

const noEvents = 'events must contain at least one event type, prefix such as exam.*, or *.';

/** Returns the subscriptions of an endpoint without duplicates; `events_required` if there is none or one matches no event type. */
export function validateSubscriptions(wanted: readonly string[]): string[] {
  if (wanted.length === 0) throw fieldError('events_required', [{ path: 'events', message: noEvents }], noEvents);
  const unknown = wanted.map((pattern, nth) => ({ pattern, nth })).filter(({ pattern }) => eventTypesMatching(pattern).length === 0);
  if (unknown.length > 0) {
    const named = unknown.map(({ pattern, nth }) => ({ path: `events.${nth}`, text: `${pattern}${didYouMean(pattern, eventPatterns)}` }));
    throw fieldError(
      'events_required',
      named.map(({ path, text }) => ({ path, message: `unknown event type: ${text}` })),
      `Unknown event type: ${named.map(({ text }) => text).join(', ')}. GET /v1/events/types lists them.`,
    );
  }
  return [...new Set(wanted)];
}
