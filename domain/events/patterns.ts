import { eventTypes, isEventType, type EventType } from './eventTypes';

const allEventTypes: readonly EventType[] = Object.keys(eventTypes).filter(isEventType);

/**
 * The event types that a pattern names (section Events, Delivery 7): `*` all of them, a prefix such as `exam.*`
 * those that begin with it, an exact type itself; none when no known type fits.
 */
export function eventTypesMatching(pattern: string): readonly EventType[] {
  if (pattern === '*') return allEventTypes;
  if (pattern.endsWith('.*')) return allEventTypes.filter((type) => type.startsWith(pattern.slice(0, -1)));
  return isEventType(pattern) ? [pattern] : [];
}

/** Every pattern that names an event type: `*`, the prefixes, the types themselves. */
export const eventPatterns: readonly string[] = ['*', ...new Set(allEventTypes.filter((type) => type.includes('.')).map((type) => `${type.split('.')[0] ?? ''}.*`)), ...allEventTypes];
