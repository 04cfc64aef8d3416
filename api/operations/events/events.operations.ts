import { pollEvents } from '../../../domain/events/pollEvents';
import { operation } from '../../http/operation';
import { presentEventTypes, presentFeed } from './events.presenter';
import { eventTypesSchema, feedQuery, feedSchema } from './events.schemas';

const tag = 'Webhooks and events';

export const events = [
  operation({
    method: 'GET',
    path: '/events',
    operationId: 'listEvents',
    tag,
    access: { key: 'webhooks:read' },
    summary: 'Follow the events without webhooks, oldest first.',
    description:
      'Pass `next_since` of each response as the next `since`: no event is missed and none repeated. Events are kept for ' +
      '30 days; `event_pruned` says that one which would have matched after `since` is no longer kept.',
    request: { query: feedQuery },
    response: feedSchema,
    errors: ['event_pruned'],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ query, reads, caller }) => presentFeed(await pollEvents(reads, query, caller)),
  }),
  operation({
    method: 'GET',
    path: '/events/types',
    operationId: 'listEventTypes',
    tag,
    access: { key: 'webhooks:read' },
    summary: 'List the event types with the schema of their data.',
    response: eventTypesSchema,
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: () => Promise.resolve(presentEventTypes()),
  }),
];
