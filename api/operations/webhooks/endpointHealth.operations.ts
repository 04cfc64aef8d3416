import { listEndpointHealth, readEndpointHealth } from '../../../domain/webhooks/endpointHealth';
import { operation } from '../../http/operation';
import { supportAccess } from '../../http/security/roles';
import { listOf, presentPage } from '../../http/request/fields';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { presentEndpointHealth } from './endpointHealth.presenter';
import { endpointHealthQuery, endpointHealthSchema } from './endpointHealth.schemas';
import { endpointOfInstitutionParams } from './webhooks.portal.schemas';

const tag = 'Webhooks and events';

export const endpointHealth = [
  operation({
    method: 'GET',
    path: '/institutions/:id/endpoint-health',
    operationId: 'listEndpointHealth',
    tag,
    access: supportAccess,
    institution: { named: ({ params }) => params.id },
    summary: 'List the webhook endpoints of an institution with their circuits and backlogs, newest first.',
    request: { params: institutionParams, query: endpointHealthQuery },
    response: listOf(endpointHealthSchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, reads, caller }) => presentPage(await listEndpointHealth(reads, query, query, caller.now), query, (health) => presentEndpointHealth(health, caller.now)),
  }),
  operation({
    method: 'GET',
    path: '/institutions/:id/webhook-endpoints/:endpoint_id/health',
    operationId: 'getEndpointHealth',
    tag,
    access: supportAccess,
    institution: { named: ({ params }) => params.id },
    summary: 'Get a webhook endpoint with its circuit and backlog.',
    request: { params: endpointOfInstitutionParams },
    response: endpointHealthSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, reads, caller }) => presentEndpointHealth(await readEndpointHealth(reads, params.endpoint_id, caller.now), caller.now),
  }),
];
