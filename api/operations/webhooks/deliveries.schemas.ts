import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { errorClasses } from '../../../db/repositories/webhooks/attempts';
import { maxAttemptsShown } from '../../../db/repositories/webhooks/deliveries';
import { maxRefs } from '../../../db/repositories/webhooks/replays';
import { eventTypeNames } from '../../../domain/events/eventTypes';
import { deliveryStatuses } from '../../../db/repositories/webhooks/deliveryStatus';
import { envelopeSchema } from '../../http/openapi/eventSchemas';
import { exactEventType } from '../../http/request/eventTypes';
import { idParams, paging, text, timestamp, timestampOrNull } from '../../http/request/fields';
import { idFilter, sinceDateTime, untilDateTime } from '../../http/request/filters';
import { responseCode } from './responseCode.schemas';

export const deliveryParams = idParams('Id of the delivery.', 'whd_01jd4k6f2mep2s5xg5yhc8m1zr');

const status = Joi.string().valid(...deliveryStatuses);

const errorClass = Joi.string().valid(...errorClasses);

/** The query of a list of deliveries: filters and paging. */
export const deliveryFilters = {
  status: Joi.string().valid('open', ...deliveryStatuses).description('For example `dead`. `open`: those that have not ended: `pending`, `retrying` or `held`.').example('dead'),
  endpoint_id: idFilter('we').description('Deliveries to this endpoint.'),
  event_id: idFilter('evt').description('Deliveries of this event.'),
  event_type: exactEventType(eventTypeNames.filter((type) => type !== 'ping')).description('An exact event type, no pattern such as `exam.*`. A `ping` is no delivery.').example('exam.graded'),
  response_code: responseCode.description("Status code of the last attempt's response, such as `503`, or a class such as `5xx`.").example('5xx'),
  error_class: errorClass.description('Where the last attempt failed; those that are delivered have none.').example('http'),
  sent_by: text(200).description('Sent by this recovery or replay of dead deliveries, its `workflow_id`, or under this `ref` of a replay. `total` is how many it has released so far.').example('rcv_01jd4k6f2mep2s5xg5yhc8m1zr'),
  since: sinceDateTime('Created after this moment, exclusively.'),
  until: untilDateTime('Created up to this moment, inclusively.'),
  ...paging,
};

export const deliveryQuery = Joi.object(deliveryFilters);

const deliveryFields = {
  id: Joi.string().required().description('Also in the header X-Svc-Delivery-Id.').example('whd_01jd4k6f2mep2s5xg5yhc8m1zr'),
  event_id: Joi.string().required().example('evt_01jd4k6f2mep2s5xg5yhc8m1zr'),
  event_type: Joi.string().required().example('exam.graded'),
  endpoint_id: Joi.string().required().example('we_01jd4k6f2mep2s5xg5yhc8m1zr'),
  status: status
    .required()
    .description(
      '`pending`: about to be sent. `retrying`: failed, another attempt is due. `held`: its endpoint or institution takes none now. ' +
        '`dead`: given up. `cancelled`: its endpoint was deleted.',
    )
    .example('delivered'),
  attempts: Joi.number().integer().required().description('Attempts made, those before a replay included.').example(1),
  response_code: Joi.number().integer().allow(null).required().description("Status code of the last attempt's response.").example(200),
  error_class: errorClass.allow(null).required().description('Where the last attempt failed.').example(null),
  next_attempt_at: timestampOrNull('When the next attempt is due.').example(null),
  deadline_at: timestampOrNull('When attempts end: 12 hours after the first one began.').example('2026-11-21T20:00:00.000Z'),
  created_at: timestamp().required().example('2026-11-21T08:00:00.000Z'),
  delivered_at: timestampOrNull('When it was answered 2xx.').example('2026-11-21T08:00:00.084Z'),
  payload: envelopeSchema.required().allow(null),
};

export const deliverySchema = Joi.object(deliveryFields).meta({ title: 'Delivery' });
export type DeliveryResponse = SchemaType<typeof deliverySchema>;

const attemptSchema = Joi.object({
  number: Joi.number().integer().required().description('From 1, counted on in replays.').example(1),
  cycle: Joi.number().integer().required().description('1, and one more for each replay.').example(1),
  started_at: timestamp().required().example('2026-11-21T08:00:00.000Z'),
  duration_ms: Joi.number().integer().required().description('The whole exchange.').example(84),
  connect_ms: Joi.number().integer().allow(null).required().description('Of it, until connected; null on a kept connection, and where none was made.').example(21),
  response_code: Joi.number().integer().allow(null).required().example(200),
  error_class: errorClass.allow(null).required().example(null),
  error: Joi.string().allow(null, '').required().description('What failed, in a sentence.').example(null),
  response_body: Joi.string().allow(null, '').required().description('The first 4 KiB of the response.').example('ok'),
  resent: Joi.boolean().required().description('Sent twice within this attempt: a kept-alive connection broke before a byte of a response arrived.').example(false),
}).meta({ title: 'DeliveryAttempt' });
export type DeliveryAttemptResponse = SchemaType<typeof attemptSchema>;

const deliveryRefSchema = Joi.object({
  cycle: Joi.number().integer().required().description('The cycle that it began.').example(2),
  ref: Joi.string().required().description('The `ref` of the replay; `rpl_…` of a replay of dead deliveries, `rcv_…` of a recovery.').example('replay-2026-11-20'),
  at: timestamp().required().example('2026-11-21T09:00:00.000Z'),
}).meta({ title: 'DeliveryRef' });
export type DeliveryRefResponse = SchemaType<typeof deliveryRefSchema>;

export const deliveryWithLogSchema = Joi.object({
  ...deliveryFields,
  ended_because: Joi.string().allow(null).required().description('Why it is `dead` or `cancelled`, as a clause after "because"; null of any other, and where it is not known.').example(null),
  attempt_log: Joi.array().items(attemptSchema).required().max(maxAttemptsShown).description('The newest 100 attempts, in order.'),
  sent_by: Joi.array().items(deliveryRefSchema).required().max(maxRefs).description('What sent it again, newest first, the newest 200; a replay without a `ref` is not among it.'),
}).meta({ title: 'DeliveryWithLog' });

export const replaySchema = Joi.object({
  ref: text(200).description('Makes the replay idempotent: the same ref again for this delivery answers it with `applied: false`. Each delivery has refs of its own.').example('replay-2026-11-20'),
});

export const replayedSchema = Joi.object({
  ...deliveryFields,
  status: deliveryFields.status.example('pending'),
  next_attempt_at: deliveryFields.next_attempt_at.example('2026-11-23T09:00:00.000Z'),
  deadline_at: deliveryFields.deadline_at.example('2026-11-23T21:00:00.000Z'),
  delivered_at: deliveryFields.delivered_at.example(null),
  applied: Joi.boolean().required().description('False when this ref had replayed the delivery before.').example(true),
}).meta({ title: 'ReplayedDelivery' });
