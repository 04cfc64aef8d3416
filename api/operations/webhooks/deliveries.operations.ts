import { findDelivery, listAttempts, listDeliveries, type DeliveryFilter, type DeliveryRow } from '../../../db/repositories/webhooks/deliveries';
import { listReplayRefs } from '../../../db/repositories/webhooks/replays';
import type { Transaction } from '../../../domain/context';
import { notFound, requireFound } from '../../../domain/errors';
import { deliveryEndOf } from '../../../domain/webhooks/deliveryEnd';
import { replayDelivery } from '../../../domain/webhooks/replayDelivery';
import type { InstitutionScope } from '../../../db/database';
import { findInstitutionOf } from '../../../db/repositories/support/owners';
import { cancelDelivery } from '../../../domain/webhooks/cancelDelivery';
import { retryDeliveryNow } from '../../../domain/webhooks/retryDeliveryNow';
import { operation, type Operation } from '../../http/operation';
import { supportAccess } from '../../http/security/roles';
import { listOf, presentPage, type Paging } from '../../http/request/fields';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { deliveriesOfInstitutionQuery, deliveryInPortal, deliveriesQuery, deliveryOfInstitutionParams } from './webhooks.portal.schemas';
import { presentAttempt, presentDelivery, presentDeliveryRef } from './deliveries.presenter';
import { deliveryParams, deliveryQuery, deliverySchema, deliveryWithLogSchema, replayedSchema, replaySchema } from './deliveries.schemas';

const tag = 'Webhooks and events';

export const deliveries = [
  operation({
    method: 'GET',
    path: '/webhooks/deliveries',
    operationId: 'listDeliveries',
    tag,
    access: { key: 'webhooks:read' },
    summary: 'List deliveries, newest first.',
    request: { query: deliveryQuery },
    response: listOf(deliverySchema),
    example: { response: { items: [{ status: 'dead', attempts: 11, response_code: 503, error_class: 'http', delivered_at: null }] } },
    errors: [],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ query, reads }) => presentPage(await listDeliveries(reads, query, query), query, presentDelivery),
  }),
  operation({
    method: 'GET',
    path: '/webhooks/deliveries/:id',
    operationId: 'getDelivery',
    tag,
    access: { key: 'webhooks:read', ...supportAccess },
    portal: deliveryInPortal(),
    summary: 'Get a delivery with its attempts.',
    request: { params: deliveryParams },
    response: deliveryWithLogSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: { fields: ['payload.data.student_id', 'payload.data.user_id', 'payload.data.faculty_id'] },
    handle: async ({ params, reads }) => {
      const delivery = requireFound(await findDelivery(reads, params.id), 'delivery');
      const attempts = await listAttempts(reads, delivery.id);
      const refs = await listReplayRefs(reads, [delivery.id]);
      return { ...presentDelivery(delivery), ended_because: deliveryEndOf(delivery, attempts)?.because ?? null, attempt_log: attempts.map(presentAttempt), sent_by: refs.map(presentDeliveryRef) };
    },
  }),
  operation({
    method: 'POST',
    path: '/webhooks/deliveries/:id/replay',
    operationId: 'replayDelivery',
    tag,
    access: { key: 'webhooks:write', ...supportAccess },
    portal: deliveryInPortal('/replay'),
    summary: 'Resend a delivered, dead or cancelled delivery, with a new window of 12 hours.',
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

/** Throws `not_found` for an endpoint that the institution never had: support looks for what a customer quoted, where the public API returns an empty list. */
async function requireEndpoint(reads: InstitutionScope, id: string | undefined): Promise<void> {
  if (id === undefined || (await findInstitutionOf(reads.sql, 'endpoint', id))?.id === reads.institutionId) return;
  throw notFound('webhook endpoint', { id });
}

async function listDeliveriesPage(reads: InstitutionScope, query: DeliveryFilter & Paging) {
  await requireEndpoint(reads, query.endpoint_id);
  return presentPage(await listDeliveries(reads, query, query), query, presentDelivery);
}

const unknownEndpointDescription = 'An `endpoint_id` that the institution never had: not_found, where the public API answers an empty list.';

/** What support does with one open delivery. */
const openDeliveryOperation = (
  verb: string,
  command: (tx: Transaction, id: string) => Promise<DeliveryRow>,
  docs: { operationId: string; summary: string; description: string },
): Operation =>
  operation({
    method: 'POST',
    path: `/institutions/:id/deliveries/:delivery_id/${verb}`,
    tag,
    access: supportAccess,
    institution: { named: ({ params }) => params.id },
    ...docs,
    request: { params: deliveryOfInstitutionParams },
    response: deliverySchema,
    errors: ['not_found', 'conflict', 'institution_not_approved'],
    transaction: 'write',
    handle: async ({ params, tx }) => presentDelivery(await command(tx, params.delivery_id)),
  });

/** Lists of deliveries that refuse unknown endpoints, and what support does with one delivery. */
export const portalDeliveries = [
  operation({
    method: 'GET',
    path: '/institutions/:id/deliveries',
    operationId: 'listDeliveries',
    tag,
    access: supportAccess,
    institution: { named: ({ params }) => params.id },
    summary: 'List deliveries, newest first.',
    description: unknownEndpointDescription,
    request: { params: institutionParams, query: deliveriesOfInstitutionQuery },
    response: listOf(deliverySchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'many',
    handle: ({ query, reads }) => listDeliveriesPage(reads, query),
  }),
  openDeliveryOperation('retry-now', retryDeliveryNow, {
    operationId: 'retryDeliveryNow',
    summary: 'Attempt an open delivery at once; its schedule and deadline stay.',
    description: 'It answers before the attempt is made. One that is held is posted once; one that waits for a retry while its endpoint takes none is held from then on. One that has ended: `conflict`; a replay is for that.',
  }),
  openDeliveryOperation('cancel', cancelDelivery, {
    operationId: 'cancelDelivery',
    summary: 'Give an open delivery up: no further attempt is made.',
    description: 'One that has ended: `conflict`.',
  }),
  operation({
    method: 'GET',
    path: '/deliveries',
    operationId: 'listDeliveriesOfPortal',
    tag,
    access: supportAccess,
    institution: { named: ({ query }) => query.institution_id },
    summary: "List deliveries of the caller's institution, or of the one named, newest first.",
    description: `The platform without institution_id: institution_required. ${unknownEndpointDescription}`,
    request: { query: deliveriesQuery },
    response: listOf(deliverySchema),
    errors: ['institution_required', 'not_found', 'institution_not_approved'],
    transaction: 'none',
    discloses: 'many',
    handle: ({ query, reads }) => listDeliveriesPage(reads, query),
  }),
];
