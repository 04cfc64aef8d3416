import { listEndpointHealth, readEndpointHealth } from '../../../domain/webhooks/endpointHealth';
import { readFailingEndpoints } from '../../../domain/webhooks/failingEndpoints';
import { operation } from '../../http/operation';
import { supportAccess } from '../../http/security/roles';
import { listOf, presentPage } from '../../http/request/fields';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { presentEndpointHealth, presentFailingEndpoint } from './endpointHealth.presenter';
import { endpointHealthQuery, endpointHealthSchema, failingEndpointSchema, failingEndpointsQuery } from './endpointHealth.schemas';
import { endpointOfInstitutionParams } from './webhooks.portal.schemas';

const tag = 'Webhooks and events';

export const endpointHealth = [
  operation({
    method: 'GET',
    path: '/failing-endpoints',
    operationId: 'listFailingEndpoints',
    tag,
    access: { staff: true, support: true },
    institution: 'none',
    summary: 'List the webhook endpoints of all institutions whose attempts fail or whose circuit is open, newest first; or those that are disabled or paused.',
    description: 'Without `state`: those whose attempts have failed since the last success, or whose circuit is open. Disabled endpoints are not among them: nothing is sent to those.',
    request: { query: failingEndpointsQuery },
    response: listOf(failingEndpointSchema),
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, domain }) => presentPage(await readFailingEndpoints(domain.database.sql, query, query), query, presentFailingEndpoint),
  }),
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
