import { readMissedEvents } from '../../../domain/webhooks/missedEvents';
import { commaList } from '../../../lib/commaList';
import { operation } from '../../http/operation';
import { supportAccess } from '../../http/security/roles';
import { presentMissedEvents } from './missedEvents.presenter';
import { missedEventsQuery, missedEventsSchema } from './missedEvents.schemas';
import { endpointOfInstitutionParams } from './webhooks.portal.schemas';

export const missedEvents = [
  operation({
    method: 'GET',
    path: '/institutions/:id/webhook-endpoints/:endpoint_id/missed-events',
    operationId: 'getMissedEvents',
    tag: 'Webhooks and events',
    access: supportAccess,
    institution: { named: ({ params }) => params.id },
    summary: 'Count the events of a time for which an endpoint has no delivery, by type.',
    description: 'Those that a recovery with the same range and types would send, and those that it would not, because the endpoint does not subscribe to them.',
    request: { params: endpointOfInstitutionParams, query: missedEventsQuery },
    response: missedEventsSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, query, reads, caller }) => {
      const eventTypes = query.event_types === undefined ? undefined : commaList(query.event_types);
      return presentMissedEvents(await readMissedEvents(reads, params.endpoint_id, { since: query.since ?? new Date(0), until: query.until, eventTypes }, caller.now));
    },
  }),
];
