import { DomainError } from '../errors';
import { eventTypesMatching } from '../events/patterns';

/** How many subscriptions one request may list. */
export const maxSubscriptions = 50;

/** The subscriptions of an endpoint, each once; `events_required` when there is none or one that names no event type. */
export function validateSubscriptions(wanted: readonly string[]): string[] {
  if (wanted.length === 0) throw new DomainError('events_required', 'An endpoint needs at least one event type, prefix such as exam.*, or *.');
  const unknown = wanted.filter((pattern) => eventTypesMatching(pattern).length === 0);
  if (unknown.length > 0) throw new DomainError('events_required', `No event type is named by: ${unknown.join(', ')}.`);
  return [...new Set(wanted)];
}
