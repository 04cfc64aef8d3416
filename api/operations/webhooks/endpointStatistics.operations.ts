import { readEndpointStatistics } from '../../../domain/webhooks/endpointStatistics';
import { operation } from '../../http/operation';
import { supportAccess } from '../../http/security/roles';
import { presentEndpointStatistics } from './endpointStatistics.presenter';
import { endpointStatisticsSchema, statisticsQuery } from './endpointStatistics.schemas';
import { webhookEndpointParams } from './webhookEndpoints.schemas';
import { endpointInPortal } from './webhooks.portal.schemas';

export const endpointStatistics = [
  operation({
    method: 'GET',
    path: '/webhooks/endpoints/:id/statistics',
    operationId: 'getWebhookEndpointStatistics',
    tag: 'Webhooks and events',
    access: { key: 'webhooks:read', ...supportAccess },
    portal: endpointInPortal('/statistics'),
    summary: 'Count the attempts at a webhook endpoint, their failures and latency.',
    description: 'By the hour of the last 24 hours, or by 24 hours of the last 30 days.',
    request: { params: webhookEndpointParams, query: statisticsQuery },
    response: endpointStatisticsSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, query, reads, caller }) => presentEndpointStatistics(await readEndpointStatistics(reads, params.id, query.period, caller.now)),
  }),
];
