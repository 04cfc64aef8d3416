import { findEndpoint, listEndpoints } from '../../../db/repositories/webhooks/endpoints';
import { DomainError, requireFound } from '../../../domain/errors';
import { validateWebhookUrl } from '../../../domain/webhooks/validateWebhookUrl';
import { createEndpoint } from '../../../domain/webhooks/createEndpoint';
import { deleteEndpoint } from '../../../domain/webhooks/deleteEndpoint';
import { pingEndpoint } from '../../../domain/webhooks/pingEndpoint';
import { probeEndpointNow } from '../../../domain/webhooks/probeEndpointNow';
import { recoverDeliveries } from '../../../domain/webhooks/recoverDeliveries';
import { replayDeadDeliveries } from '../../../domain/webhooks/replayDeadDeliveries';
import { rotateSecret } from '../../../domain/webhooks/rotateSecret';
import { updateEndpoint } from '../../../domain/webhooks/updateEndpoint';
import type { AuthenticatedKey, PlatformCaller } from '../../http/access';
import { operation } from '../../http/operation';
import { developerAccess, supportAccess } from '../../http/security/roles';
import { inPortal } from '../institutions/inPortal';
import { endpointInPortal } from './webhooks.portal.schemas';
import { deleted, deletedSchema, listOf, pagingQuery, presentPage } from '../../http/request/fields';
import { presentPing, presentWebhookEndpoint, presentWithSecret } from './webhookEndpoints.presenter';
import {
  bulkReplaySchema,
  newWebhookEndpointSchema,
  pingResultSchema,
  recoverSchema,
  recoverySchema,
  replayDeadSchema,
  rotationSchema,
  webhookEndpointChanges,
  webhookEndpointParams,
  webhookEndpointSchema,
  webhookEndpointWithSecretSchema,
  webhookTestSchema,
} from './webhookEndpoints.schemas';

const tag = 'Webhooks and events';

/** `forbidden` for support staff who change more than the status: where deliveries go is not theirs to say. */
function requireSupportedChange(principal: AuthenticatedKey | PlatformCaller, changes: object): void {
  if (!('role' in principal) || principal.role !== 'support') return;
  if (Object.keys(changes).some((field) => field !== 'status')) throw new DomainError('forbidden', 'The role support may change the status alone.');
}

export const webhookEndpoints = [
  operation({
    method: 'GET',
    path: '/webhooks/endpoints',
    operationId: 'listWebhookEndpoints',
    tag,
    access: { key: 'webhooks:read', ...supportAccess },
    portal: inPortal('/webhook-endpoints'),
    summary: 'List webhook endpoints, newest first.',
    request: { query: pagingQuery },
    response: listOf(webhookEndpointSchema),
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, reads, caller }) =>
      presentPage(await listEndpoints(reads, query), query, (row) => presentWebhookEndpoint(row, caller.now)),
  }),
  operation({
    method: 'POST',
    path: '/webhooks/endpoints',
    operationId: 'createWebhookEndpoint',
    tag,
    access: { key: 'webhooks:write', ...developerAccess },
    portal: inPortal('/webhook-endpoints'),
    summary: 'Create a webhook endpoint; its signing secret is returned only once.',
    description: 'At most 20 endpoints an institution, and 60 created within an hour, deleted ones included (`endpoint_limit`). The host must be public, by its name and by what it resolves to.',
    request: { body: newWebhookEndpointSchema },
    response: webhookEndpointWithSecretSchema,
    example: { response: { last_success_at: null, last_failure_at: null } },
    errors: ['https_required', 'private_host', 'events_required', 'endpoint_limit'],
    transaction: 'own',
    audit: { created: 'id' },
    handle: async ({ body, caller, domain, commit }) => {
      const url = await validateWebhookUrl(domain, body.url, body.events ?? []);
      const { result } = await commit(async (tx) => presentWithSecret(await createEndpoint(tx, { ...body, url }), caller.now));
      return result;
    },
  }),
  operation({
    method: 'GET',
    path: '/webhooks/endpoints/:id',
    operationId: 'getWebhookEndpoint',
    tag,
    access: { key: 'webhooks:read', ...supportAccess },
    portal: endpointInPortal(),
    summary: 'Get a webhook endpoint.',
    request: { params: webhookEndpointParams },
    response: webhookEndpointSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, reads, caller }) => {
      const found = requireFound(await findEndpoint(reads, params.id), 'webhook endpoint');
      return presentWebhookEndpoint(found, caller.now);
    },
  }),
  operation({
    method: 'PATCH',
    path: '/webhooks/endpoints/:id',
    operationId: 'updateWebhookEndpoint',
    tag,
    access: { key: 'webhooks:write', ...supportAccess },
    portal: endpointInPortal(),
    summary: 'Change, pause or resume a webhook endpoint; fields left out stay.',
    description: 'A disabled endpoint comes back with `status: active`; pausing it is a `conflict`. Support staff may change `status` alone.',
    request: { params: webhookEndpointParams, body: webhookEndpointChanges },
    response: webhookEndpointSchema,
    example: { response: { status: 'paused' } },
    errors: ['not_found', 'conflict', 'https_required', 'private_host', 'events_required'],
    transaction: 'own',
    handle: async ({ params, body, caller, domain, commit, principal }) => {
      requireSupportedChange(principal, body);
      const { url, ...rest } = body;
      const changes = url === undefined ? rest : { ...rest, url: await validateWebhookUrl(domain, url, body.events) };
      const { result } = await commit(async (tx) => presentWebhookEndpoint(await updateEndpoint(tx, params.id, changes), caller.now));
      return result;
    },
  }),
  operation({
    method: 'DELETE',
    path: '/webhooks/endpoints/:id',
    operationId: 'deleteWebhookEndpoint',
    tag,
    access: { key: 'webhooks:write', ...developerAccess },
    portal: endpointInPortal(),
    summary: 'Delete a webhook endpoint; its open deliveries are cancelled, all stay readable.',
    request: { params: webhookEndpointParams },
    response: deletedSchema('we_01jd4k6f2mep2s5xg5yhc8m1zr'),
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, tx }) => {
      await deleteEndpoint(tx, params.id);
      return deleted(params.id);
    },
  }),
  operation({
    method: 'POST',
    path: '/webhooks/endpoints/:id/rotate-secret',
    operationId: 'rotateWebhookSecret',
    tag,
    access: { key: 'webhooks:write', ...developerAccess },
    portal: endpointInPortal('/rotate-secret'),
    summary: 'Rotate the signing secret; the new secret is returned only once.',
    description: 'During the grace attempts carry the signatures of both secrets, newest first, and of both keys where the endpoint has one; `grace_hours: 0` ends the old one at once.',
    request: { params: webhookEndpointParams, body: rotationSchema },
    response: webhookEndpointWithSecretSchema,
    example: {
      response: {
        secret_rotated_at: '2026-11-22T09:00:00.000Z', previous_secret_expires_at: '2026-11-23T09:00:00.000Z', secret: 'whsec_AV9+a8Wur0g3JAieklLME7UJUaa2lBJSJ2XP9NeAMG4=',
        public_key: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', previous_public_key: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
      },
    },
    errors: ['not_found'],
    transaction: 'write',
    handle: async ({ params, body, caller, tx }) => presentWithSecret(await rotateSecret(tx, params.id, body.grace_hours), caller.now),
  }),
  operation({
    method: 'POST',
    path: '/webhooks/endpoints/:id/test',
    operationId: 'testWebhookEndpoint',
    tag,
    access: { key: 'webhooks:write', ...developerAccess },
    portal: endpointInPortal('/test'),
    summary: 'Send a `ping`, or the sample of another event type, to a webhook endpoint and wait for its response.',
    description: 'Signed and checked as every delivery is, once and for 10 seconds at most; it appears neither among events nor deliveries. Where it is accepted and deliveries are held because their attempts failed, the oldest of them is tried at once.',
    request: { params: webhookEndpointParams, body: webhookTestSchema },
    response: pingResultSchema,
    errors: ['not_found', 'endpoint_inactive', 'conflict'],
    transaction: 'own',
    handle: async ({ params, body, caller, domain, commit }) => {
      const ping = presentPing(await pingEndpoint(domain, caller, params.id, body.event_type));
      const { result } = await commit(async (tx) => {
        if (ping.delivered) await probeEndpointNow(tx, params.id);
        return ping;
      });
      return result;
    },
  }),
  operation({
    method: 'POST',
    path: '/webhooks/endpoints/:id/replay-dead',
    operationId: 'replayDeadDeliveries',
    tag,
    access: { key: 'webhooks:write', ...supportAccess },
    portal: endpointInPortal('/replay-dead'),
    summary: 'Resend every dead delivery of an endpoint, oldest first.',
    description: 'Those whose events are still kept, each with a new window of 12 hours; with `until`, `event_types` or `response_codes`, only those that match all of them. With `dry_run` it only counts. The replay continues after the response, and stops when the endpoint is paused, disabled or deleted.',
    request: { params: webhookEndpointParams, body: replayDeadSchema },
    response: bulkReplaySchema,
    errors: ['not_found', 'endpoint_inactive', 'conflict'],
    transaction: 'write',
    audit: { created: 'workflow_id', unless: 'dry_run' },
    handle: async ({ params, body, tx }) => {
      const { workflowId, matched } = await replayDeadDeliveries(tx, params.id, { since: body.since, until: body.until, eventTypes: body.event_types, responseCodes: body.response_codes, dryRun: body.dry_run });
      return { workflow_id: workflowId, matched };
    },
  }),
  operation({
    method: 'POST',
    path: '/webhooks/endpoints/:id/recover',
    operationId: 'recoverDeliveries',
    tag,
    access: { key: 'webhooks:write', ...supportAccess },
    portal: endpointInPortal('/recover'),
    summary: 'Send an endpoint the events of a time for which it has no delivery, oldest first.',
    description:
      'For events that happened while the endpoint was disabled, or before it existed: those that it subscribes to now and that are still kept each get a delivery, with a window of 12 hours from now. ' +
      'An event with a delivery, in any status, gets no other. With `dry_run` it only counts. The recovery continues after the response, and stops when the endpoint is paused, disabled or deleted.',
    request: { params: webhookEndpointParams, body: recoverSchema },
    response: recoverySchema,
    errors: ['not_found', 'endpoint_inactive', 'conflict'],
    transaction: 'write',
    audit: { created: 'workflow_id', unless: 'dry_run' },
    handle: async ({ params, body, tx }) => {
      const { workflowId, matched } = await recoverDeliveries(tx, params.id, { since: body.since, until: body.until, eventTypes: body.event_types, dryRun: body.dry_run });
      return { workflow_id: workflowId, matched };
    },
  }),
];
