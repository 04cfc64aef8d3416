import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { endpointStatuses } from '../../../db/entities/endpoint';
import { eventTypeNames } from '../../../domain/events/eventTypes';
import { eventPatterns } from '../../../domain/events/patterns';
import { signatureSchemes } from '../../../domain/webhooks/signatureScheme';
import { maxEventsCounted } from '../../../domain/webhooks/recoverDeliveries';
import { graceHours } from '../../../domain/webhooks/rotateSecret';
import { rateLimits } from '../../../domain/webhooks/rateLimits';
import { maxSubscriptions } from '../../../domain/webhooks/subscriptions';
import { wantedStatuses } from '../../../domain/webhooks/updateEndpoint';
import { customHeaders } from './customHeaders.schemas';
import { exactEventType } from '../../http/request/eventTypes';
import { idParams, text, timestamp, timestampOrNull, wholeNumber } from '../../http/request/fields';
import { sinceDateTime, untilDateTime } from '../../http/request/filters';
import { responseCode } from './responseCode.schemas';

export const webhookEndpointParams = idParams('Id of the webhook endpoint.', 'we_01jd4k6f2mep2s5xg5yhc8m1zr');

const publicKey = (description: string) => Joi.string().allow(null).required().description(description).example('whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=');

/** The fields of a webhook endpoint in responses. */
export const endpointFields = {
  id: Joi.string().required().example('we_01jd4k6f2mep2s5xg5yhc8m1zr'),
  url: Joi.string().required().example('https://hooks.example.org/institution'),
  description: Joi.string().allow(null, '').required().example('Gradebook'),
  events: Joi.array().items(Joi.string()).required().description('`*`, prefixes such as `exam.*`, or exact types.').example(['exam.*']),
  status: Joi.string()
    .valid(...endpointStatuses)
    .required()
    .description('`disabled` is set by the service when an endpoint fails for days or answers 410.')
    .example('active'),
  rate_limit: Joi.number().integer().allow(null).required().description('Deliveries per second at most; null without a limit.').example(20),
  created_at: timestamp().required().example('2026-09-01T07:45:00.000Z'),
  last_success_at: timestampOrNull('The last attempt that was answered 2xx.').example('2026-11-21T08:00:00.084Z'),
  last_failure_at: timestampOrNull('The last attempt that was not.').example('2026-11-20T10:40:00.512Z'),
  consecutive_failures: Joi.number().integer().required().description('Failures since the last success.').example(0),
  circuit: Joi.string().valid('closed', 'open').required().description('`open` after 20 failures in a row: deliveries are held, and the oldest is tried from time to time until one is accepted.').example('closed'),
  next_probe_at: timestampOrNull('While the circuit is open: when the oldest held delivery is tried next, at the earliest; a test that is accepted, or setting `status` to `active`, has it tried at once.').example(null),
  disabled_reason: Joi.string().allow(null).required().description('Why the service disabled the endpoint.').example(null),
  secret_rotated_at: timestampOrNull('When the signing secret was last rotated.').example(null),
  previous_secret_expires_at: timestampOrNull('Until when attempts also carry the signature of the previous secret; null outside of a grace.').example(null),
  header_names: Joi.array().items(Joi.string()).required().description('Names of the headers that each attempt also has; their values are never shown.').example(['X-Api-Key']),
  signature_scheme: Joi.string().valid(...signatureSchemes).required().description('`ed25519`: attempts also have a signature by a key of the endpoint.').example('ed25519'),
  public_key: publicKey('Verifies the `v1a` signatures; null for `hmac`.'),
  previous_public_key: publicKey('The key before the last rotation, in a grace; else null.').example(null),
};

export const webhookEndpointSchema = Joi.object(endpointFields).meta({ title: 'WebhookEndpoint' });
export type WebhookEndpointResponse = SchemaType<typeof webhookEndpointSchema>;

export const webhookEndpointWithSecretSchema = Joi.object({
  ...endpointFields,
  secret: Joi.string().required().description('The signing secret; shown this once.').example('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='),
}).meta({ title: 'WebhookEndpointWithSecret' });
export type WebhookEndpointWithSecretResponse = SchemaType<typeof webhookEndpointWithSecretSchema>;

const inputFields = {
  url: text(2048).description('Public https, without credentials or fragment, port 443 or 1024 to 65535.').example('https://hooks.example.org/institution'),
  description: text(1000, 'multi-line').allow(null).description('Of your choice, such as what receives the events; null for none.').example('Gradebook'),
  events: Joi.array()
    .items(text(100).allow('').meta({ documentedAs: Joi.string().valid(...eventPatterns) }))
    .max(maxSubscriptions)
    .meta({ jsonSchema: { minItems: 1 } })
    .description('`*`, prefixes such as `exam.*`, or exact types; at least one (`events_required`), each kept once. `*` leaves out operational events (`endpoint.*`).')
    .example(['exam.*']),
  rate_limit: wholeNumber(rateLimits.min, rateLimits.max)
    .allow(null)
    .description('Deliveries per second at most, first attempts and retries together; further ones wait as `pending`, oldest first. Null: no limit.')
    .example(20),
  headers: customHeaders(),
  signature_scheme: Joi.string()
    .valid(...signatureSchemes)
    .description('`ed25519` adds a signature that anyone can verify with `public_key` and nobody forge; the signatures by the secret stay. `hmac` takes the key away.')
    .example('ed25519'),
};

/** `events` is optional here: without it, and for an empty list, the command's error is `events_required`. */
export const newWebhookEndpointSchema = Joi.object({ ...inputFields, url: inputFields.url.required() })
  .meta({ jsonSchema: { required: ['url', 'events'] } });

export const webhookEndpointChanges = Joi.object({
  ...inputFields,
  status: Joi.string()
    .valid(...wantedStatuses)
    .description('`paused` holds deliveries and stops their clock; `active` releases them, and reactivates a disabled endpoint.')
    .example('paused'),
});

export const rotationSchema = Joi.object({
  grace_hours: wholeNumber(graceHours.min, graceHours.max)
    .default(graceHours.default)
    .description('For how many hours attempts carry the signatures of both secrets.')
    .example(24),
});

export const webhookTestSchema = Joi.object({
  event_type: exactEventType(eventTypeNames)
    .default('ping')
    .description('Its sample is sent, as `GET /events/types` shows it.')
    .example('exam.graded'),
});

const eventTypesField = Joi.array().items(Joi.string().valid(...eventPatterns)).min(1).max(maxSubscriptions);

const dryRun = Joi.boolean().default(false).description('Only counts, also for an endpoint that is paused or disabled; nothing is sent.').example(false);

export const replayDeadSchema = Joi.object({
  since: sinceDateTime('Dead deliveries created after this moment, exclusively.').required().example('2026-11-20T09:30:00Z'),
  until: untilDateTime('Created up to this moment, inclusively; without it, up to the newest event.').example('2026-11-20T11:00:00Z'),
  event_types: eventTypesField.description('Only of these types: exact ones, prefixes such as `exam.*`, or `*`.').example(['student.*', 'exam.graded']),
  response_codes: Joi.array()
    .items(responseCode)
    .min(1)
    .max(maxSubscriptions)
    .description("Only those whose last attempt was answered so: status codes such as `503`, or classes such as `5xx`.")
    .example(['5xx', '429']),
  dry_run: dryRun,
});

export const bulkReplaySchema = Joi.object({
  workflow_id: Joi.string().allow(null).required().description('Names this replay to support, and in `sent_by` of the list of deliveries; null where nothing matched, and of a dry run.').example('rpl_01jd4k6f2mep2s5xg5yhc8m1zr'),
  matched: Joi.number().integer().required().description('Dead deliveries that will be sent again.').example(12),
}).meta({ title: 'BulkReplay' });

export const recoverSchema = Joi.object({
  since: sinceDateTime('Events that happened after this moment, exclusively.').required().example('2026-11-20T09:30:00Z'),
  until: untilDateTime('Events that happened up to this moment, inclusively; without it, up to the newest event.').example('2026-11-20T11:00:00Z'),
  event_types: eventTypesField.description('Only events of these types, of those that the endpoint subscribes to: exact ones, prefixes such as `exam.*`, or `*`.').example(['student.*', 'exam.graded']),
  dry_run: dryRun,
});

export const recoverySchema = Joi.object({
  workflow_id: Joi.string().allow(null).required().description('Names this recovery to support, and in `sent_by` of the list of deliveries; null where nothing matched, and of a dry run.').example('rcv_01jd4k6f2mep2s5xg5yhc8m1zr'),
  matched: Joi.number()
    .integer()
    .required()
    .description(`Events that will get a delivery. Counted among the oldest ${maxEventsCounted.toLocaleString('en-US')} of the range; where there are more, the recovery may find more.`)
    .example(12),
}).meta({ title: 'EndpointRecovery' });

export const pingResultSchema = Joi.object({
  delivered: Joi.boolean().required().description('Whether the receiver answered 2xx within 10 seconds.').example(true),
  response_code: Joi.number().integer().allow(null).required().description('Status code of the response; null without one.').example(200),
  latency_ms: Joi.number().integer().required().description('The whole exchange, name look-up and connect included.').example(84),
  error: Joi.string().allow(null).required().description('What failed, in a sentence; null when delivered.').example(null),
  response_body: Joi.string().allow(null, '').required().description('The first 4 KiB of the response, where a receiver may say why it refuses; null without a body.').example('ok'),
}).meta({ title: 'WebhookTest' });
export type WebhookTestResponse = SchemaType<typeof pingResultSchema>;
