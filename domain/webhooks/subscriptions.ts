import { didYouMean } from '../../lib/closestMatch';
import { fieldError, type Issue } from '../errors';
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

interface UnknownSubscription {
  path: string;
  text: string;
}

const unknownSubscriptions = (wanted: readonly string[]): UnknownSubscription[] =>
  wanted.flatMap((pattern, nth) => (eventTypesMatching(pattern).length > 0 ? [] : [{ path: `events.${nth}`, text: `${pattern}${didYouMean(pattern, eventPatterns)}` }]));

const issuesOf = (unknown: readonly UnknownSubscription[]): Issue[] => unknown.map(({ path, text }) => ({ path, message: `unknown event type: ${text}` }));

/** Returns the issues of subscriptions, for the error of another field of the same request. */
export const subscriptionIssues = (wanted: readonly string[]): Issue[] => (wanted.length === 0 ? [{ path: 'events', message: noEvents }] : issuesOf(unknownSubscriptions(wanted)));

/** Returns the subscriptions of an endpoint without duplicates; `events_required` if there is none or one matches no event type. */
export function validateSubscriptions(wanted: readonly string[]): string[] {
  if (wanted.length === 0) throw fieldError('events_required', [{ path: 'events', message: noEvents }], noEvents);
  const unknown = unknownSubscriptions(wanted);
  if (unknown.length > 0) throw fieldError('events_required', issuesOf(unknown), `Unknown event type: ${unknown.map(({ text }) => text).join(', ')}. GET /v1/events/types lists them.`);
  return [...new Set(wanted)];
}
