import { InvalidArgumentError } from 'commander';
import { didYouMean } from '../lib/closestMatch';
import type { EventPattern, EventType } from './eventPattern';
import { triggers } from './trigger/triggers';

const isEventType = (text: string): text is EventType => Object.hasOwn(triggers, text);

/** The event types of the service, in the order of the specification. */
export const eventTypeNames: readonly EventType[] = Object.keys(triggers).filter(isEventType);

/** Whether an event is of a pattern; `*` leaves out those about endpoints, as the service does. */
export const matchesPattern = (type: string, pattern: string): boolean =>
  (pattern === '*' && !type.startsWith('endpoint.')) || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));

/** Whether the pattern matches an event type; each that does is one that the API takes. */
const isEventPattern = (text: string): text is EventPattern => eventTypeNames.some((type) => matchesPattern(type, text));

/** Every pattern. */
export const eventPatterns: readonly string[] = [
  '*', ...new Set(eventTypeNames.filter((type) => type.includes('.')).map((type) => `${type.split('.')[0] ?? ''}.*`)), ...eventTypeNames,
];

/** Collects patterns: one each time, or several with commas between them. */
export function collectPatterns(text: string, before: readonly EventPattern[] = []): EventPattern[] {
  const patterns = text.split(',').map((pattern) => pattern.trim());
  const known = patterns.filter(isEventPattern);
  const unknown = patterns.find((pattern) => !isEventPattern(pattern));
  if (unknown !== undefined) throw new InvalidArgumentError(`No event type is ${unknown}: institution events types lists them${didYouMean(unknown, eventPatterns)}.`);
  if (known.includes('ping')) throw new InvalidArgumentError('A ping is in no list of events: it goes to an endpoint alone, by institution trigger ping or institution endpoints test.');
  return [...before, ...known];
}

/** Returns an event type as it is. */
export function parseEventType(text: string): EventType {
  if (text.includes('*')) throw new InvalidArgumentError(`${text} is a pattern: name one type, such as ${eventTypeNames.find((type) => type !== 'ping' && matchesPattern(type, text)) ?? 'exam.graded'}.`);
  if (!isEventType(text)) throw new InvalidArgumentError(`That is no event type: institution events types lists them${didYouMean(text, eventTypeNames)}.`);
  return text;
}
