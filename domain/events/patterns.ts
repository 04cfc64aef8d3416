import { eventTypeNames, isEventType, type EventType } from './eventTypes';

/**
 * The event types that a pattern names (section Events, Delivery 7): `*` all of them, a prefix such as `exam.*`
 * those that begin with it, an exact type itself; none when no known type fits.
 */
export function eventTypesMatching(pattern: string): readonly EventType[] {
  if (pattern === '*') return eventTypeNames;
  if (pattern.endsWith('.*')) return eventTypeNames.filter((type) => type.startsWith(pattern.slice(0, -1)));
  return isEventType(pattern) ? [pattern] : [];
}

/** Every pattern that names an event type: `*`, the prefixes, the types themselves. */
export const eventPatterns: readonly string[] = ['*', ...new Set(eventTypeNames.filter((type) => type.includes('.')).map((type) => `${type.split('.')[0] ?? ''}.*`)), ...eventTypeNames];
