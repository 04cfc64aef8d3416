import { findDelivery, listAttempts, listDeliveries, type DeliveryFilter } from '../../../db/repositories/webhooks/deliveries';
import { notFound } from '../../../domain/errors';
import { replayDelivery } from '../../../domain/webhooks/replayDelivery';
import { sharedOperation } from '../../http/operation';
import { listOf, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { presentAttempt, presentDelivery } from './deliveries.presenter';
import {
  deliveryParams,
  deliveryQuery,
  deliverySchema,
  deliveryWithLogSchema,
  replayedSchema,
  replaySchema,
  type ReplayRequest,
} from './deliveries.schemas';

const tag = 'Webhooks and events';

/** The list, which the portal has in a way of its own. */
export const listDeliveriesOperation = sharedOperation<Record<string, never>, DeliveryFilter & Paging>({
  method: 'GET',
  path: '/webhooks/deliveries',
  operationId: 'listDeliveries',
  tag,
  scope: 'webhooks:read',
  summary: 'List deliveries, newest first.',
  request: { query: deliveryQuery },
  response: listOf(deliverySchema),
  errors: [],
  transaction: 'none',
  handle: async ({ query, reads }) => presentPage(await listDeliveries(reads, query, query), query, presentDelivery),
});

export const deliveries = [
  listDeliveriesOperation,
  sharedOperation<IdParams>({
    method: 'GET',
    path: '/webhooks/deliveries/:id',
    operationId: 'getDelivery',
    tag,
    scope: 'webhooks:read',
    summary: 'Get a delivery with its attempts.',
    request: { params: deliveryParams },
    response: deliveryWithLogSchema,
    errors: ['not_found'],
    transaction: 'none',
    handle: async ({ params, reads }) => {
      const delivery = await findDelivery(reads, params.id);
      if (delivery === undefined) throw notFound('delivery');
      const attempts = await listAttempts(reads, delivery.id);
      return { ...presentDelivery(delivery), attempt_log: attempts.map(presentAttempt) };
    },
  }),
  sharedOperation<IdParams, Record<string, never>, ReplayRequest>({
    method: 'POST',
    path: '/webhooks/deliveries/:id/replay',
    operationId: 'replayDelivery',
    tag,
    scope: 'webhooks:write',
    summary: 'Send a delivered, dead or cancelled delivery anew, with a new window of 12 hours.',
    description: 'The same delivery id and the same envelope. While the delivery is open: `conflict`. While the endpoint is paused or disabled, a replay is always `endpoint_inactive`, even where the delivery is still open.',
    request: { params: deliveryParams, body: replaySchema },
    response: replayedSchema,
    errors: ['not_found', 'conflict', 'endpoint_inactive', 'event_pruned'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => {
      const { delivery, applied } = await replayDelivery(tx, params.id, body.ref);
      return { ...presentDelivery(delivery), applied };
    },
  }),
];
