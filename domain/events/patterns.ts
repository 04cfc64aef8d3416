import { eventTypeNames, isEventType, isOperational, type EventType } from './eventTypes';

/**
 * Returns the event types that match a pattern (section Events, Delivery 7): `*` matches all but operational ones, a prefix
 * such as `exam.*` those that begin with it, a type itself; none if no known type matches.
 */
export function eventTypesMatching(pattern: string): readonly EventType[] {
  if (pattern === '*') return eventTypeNames.filter((type) => !isOperational(type));
  if (pattern.endsWith('.*')) return eventTypeNames.filter((type) => type.startsWith(pattern.slice(0, -1)));
  return isEventType(pattern) ? [pattern] : [];
}

/** Every pattern that matches an event type: `*`, the prefixes, the types. */
export const eventPatterns: readonly string[] = ['*', ...new Set(eventTypeNames.filter((type) => type.includes('.')).map((type) => `${type.split('.')[0] ?? ''}.*`)), ...eventTypeNames];
