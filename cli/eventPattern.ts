import type { InputOf } from '../clients/typescript/src/operations';

/** What the feed filters by: an event type, a prefix such as `exam.*`, or `*`. */
export type EventPattern = NonNullable<NonNullable<NonNullable<InputOf<'GET', '/events'>[0]>['query']>['type']>;

/** An event type of the service. */
export type EventType = Exclude<EventPattern, '*' | `${string}.*`>;
