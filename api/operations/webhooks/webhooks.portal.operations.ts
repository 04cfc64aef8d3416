import type { InstitutionScope } from '../../../db/database';
import { listDeliveries, type DeliveryFilter } from '../../../db/repositories/webhooks/deliveries';
import { findInstitutionOf } from '../../../db/repositories/support/owners';
import { notFound } from '../../../domain/errors';
import { cancelDelivery } from '../../../domain/webhooks/cancelDelivery';
import { retryDeliveryNow } from '../../../domain/webhooks/retryDeliveryNow';
import { platformOperation, type OperationRecord, type PlatformCaller } from '../../http/operation';
import { listOf, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { deliveries, listDeliveriesOperation } from './deliveries.operations';
import { presentDelivery } from './deliveries.presenter';
import { deliveryQuery, deliverySchema } from './deliveries.schemas';
import { webhookEndpoints } from './webhookEndpoints.operations';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { developerRoles } from '../../http/security/roles';
import { portalOperation, type PortalMapping } from './portalOperation';
import { deliveriesQuery, deliveryParams, webhookEndpointParams, type DeliveriesQuery, type DeliveryParams } from './webhooks.portal.schemas';

const tag = 'Webhooks and events';

const webhookEndpointMapping: PortalMapping = {
  publicPath: '/webhooks/endpoints',
  portalPath: '/webhook-endpoints',
  parameter: 'endpoint_id',
  params: webhookEndpointParams,
};

const deliveryMapping: PortalMapping = { publicPath: '/webhooks/deliveries', portalPath: '/deliveries', parameter: 'delivery_id', params: deliveryParams };

/** A filter of the public API that names nothing finds nothing; who looks for what a customer quoted is told that it is not there. */
async function requireEndpoint(reads: InstitutionScope, id: string | undefined): Promise<void> {
  if (id === undefined || (await findInstitutionOf(reads.sql, 'endpoint', id)) === reads.institutionId) return;
  throw notFound('webhook endpoint', id);
}

async function listDeliveriesPage(reads: InstitutionScope, query: DeliveryFilter & Paging): Promise<object> {
  await requireEndpoint(reads, query.endpoint_id);
  return presentPage(await listDeliveries(reads, query, query), query, presentDelivery);
}

const unknownEndpointDescription = 'An `endpoint_id` that the institution never had: not_found, where the public API answers an empty list.';

/** What the public API does with webhook endpoints and deliveries, a list that tells of unknown endpoints, and what support does besides. */
export const webhooks: readonly OperationRecord<PlatformCaller>[] = [
  ...webhookEndpoints.map((record) => portalOperation(record, webhookEndpointMapping)),
  ...deliveries.filter((record) => record !== listDeliveriesOperation).map((record) => portalOperation(record, deliveryMapping)),
  platformOperation<IdParams, DeliveryFilter & Paging>({
    method: 'GET',
    path: '/institutions/:id/deliveries',
    operationId: 'listDeliveries',
    tag,
    roles: developerRoles,
    institution: 'path',
    summary: 'List deliveries, newest first.',
    description: unknownEndpointDescription,
    request: { params: institutionParams, query: deliveryQuery },
    response: listOf(deliverySchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: ({ query, reads }) => listDeliveriesPage(reads, query),
  }),
  platformOperation<DeliveryParams>({
    method: 'POST',
    path: '/institutions/:id/deliveries/:delivery_id/retry-now',
    operationId: 'retryDeliveryNow',
    tag,
    roles: developerRoles,
    institution: 'path',
    summary: 'Attempt an open delivery at once; its schedule and deadline stay.',
    description: 'It answers before the attempt is made. One that is held is posted once. One that has ended: `conflict`; a replay is for that.',
    request: { params: deliveryParams },
    response: deliverySchema,
    errors: ['not_found', 'conflict', 'institution_not_approved'],
    transaction: 'write',
    handle: async ({ params, tx }) => presentDelivery(await retryDeliveryNow(tx, params.delivery_id)),
  }),
  platformOperation<DeliveryParams>({
    method: 'POST',
    path: '/institutions/:id/deliveries/:delivery_id/cancel',
    operationId: 'cancelDelivery',
    tag,
    roles: developerRoles,
    institution: 'path',
    summary: 'Give an open delivery up: no further attempt is made.',
    description: 'One that has ended: `conflict`.',
    request: { params: deliveryParams },
    response: deliverySchema,
    errors: ['not_found', 'conflict', 'institution_not_approved'],
    transaction: 'write',
    handle: async ({ params, tx }) => presentDelivery(await cancelDelivery(tx, params.delivery_id)),
  }),
  platformOperation<Record<string, never>, DeliveriesQuery>({
    method: 'GET',
    path: '/deliveries',
    operationId: 'listDeliveriesOfPortal',
    tag,
    roles: developerRoles,
    institution: 'query',
    summary: "List deliveries of the caller's institution, or of the one named, newest first.",
    description: `The platform without institution_id: institution_required. ${unknownEndpointDescription}`,
    request: { query: deliveriesQuery },
    response: listOf(deliverySchema),
    errors: ['institution_required', 'not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: ({ query, reads }) => listDeliveriesPage(reads, query),
  }),
];
