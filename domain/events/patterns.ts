import { eventTypes, isEventType, type EventType } from './eventTypes';

const allEventTypes: readonly EventType[] = Object.keys(eventTypes).filter(isEventType);

/**
 * Returns the event types that match a pattern (section Events, Delivery 7): `*` matches all, a prefix such as `exam.*`
 * those that begin with it, a type itself; none if no known type matches.
 */
export function eventTypesMatching(pattern: string): readonly EventType[] {
  if (pattern === '*') return allEventTypes;
  if (pattern.endsWith('.*')) return allEventTypes.filter((type) => type.startsWith(pattern.slice(0, -1)));
  return isEventType(pattern) ? [pattern] : [];
}

/** Every pattern that matches an event type: `*`, the prefixes, the types. */
export const eventPatterns: readonly string[] = ['*', ...new Set(allEventTypes.filter((type) => type.includes('.')).map((type) => `${type.split('.')[0] ?? ''}.*`)), ...allEventTypes];
