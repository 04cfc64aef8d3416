import Joi from 'joi';
import { endpointStatuses } from '../../../db/entities/endpoint';
import { maxCount } from '../../../db/repositories/support/counts';
import { maxDeadScanned } from '../../../db/repositories/support/endpoints';
import { maxOutageAttempts } from '../../../db/repositories/support/outages';
import { failingStates } from '../../../db/repositories/support/failingEndpoints';
import { attemptsToDisable } from '../../../domain/webhooks/disableEndpoint';
import type { SchemaType } from '../../../lib/schemaType';
import { paging, timestamp, timestampOrNull } from '../../http/request/fields';
import { endpointFields } from './webhookEndpoints.schemas';

const deadScanned = maxDeadScanned.toLocaleString('en');

const circuit = Joi.string().valid('closed', 'open');

/** The query of the list: filters and paging. */
export const endpointHealthQuery = Joi.object({
  status: Joi.string()
    .valid(...endpointStatuses)
    .description('Endpoints of this status.')
    .example('active'),
  circuit: circuit.description('Endpoints with this circuit: `open` after 20 failures in a row.').example('open'),
  failing: Joi.boolean().description('Whether attempts have failed since the last success.').example(true),
  ...paging,
});

const count = Joi.number().integer().required();

const backlogSchema = Joi.object({
  pending: count.description('About to be sent for the first time.').example(0),
  retrying: count.description('Failed, another attempt is due.').example(12),
  held: count.description('Their endpoint or institution takes none now, or the circuit is open.').example(140),
  dead: count.description(`Given up, of the institution's newest ${deadScanned}.`).example(3),
  held_since: timestampOrNull('Since when the longest held one is held.').example('2026-11-20T09:30:00.000Z'),
  first_held_deadline_at: timestampOrNull('When the first of the held ones is given up. A pause and a suspension put it off by as long as they last, once they end; an open circuit does not.').example('2026-11-20T21:30:00.000Z'),
  last_held_deadline_at: timestampOrNull('When the last of them is given up.').example('2026-11-20T22:15:00.000Z'),
})
  .required()
  .description(`Its deliveries by status, each counted up to ${(maxCount + 1).toLocaleString('en')}.`);

const attemptsToDisableSchema = Joi.object({
  made: count.description('Attempts of these hours, counted up to `needed`.').example(4),
  needed: count.description('With fewer it stays active.').example(attemptsToDisable.minAttempts),
  within_hours: count.example(24),
});
export type AttemptsToDisableResponse = SchemaType<typeof attemptsToDisableSchema>;

const lastOutageSchema = Joi.object({
  from: timestamp().required().description('When the first failed attempt of it began.').example('2026-11-20T09:30:00.000Z'),
  to: timestamp().required().description('When the last failed attempt of it began.').example('2026-11-20T09:34:00.000Z'),
  failed_attempts: count.description(`Counted up to ${maxOutageAttempts.toLocaleString('en')}: \`from\` is the first of these then, and the outage may have begun before.`).example(66),
  recovered_at: timestampOrNull('When the first attempt after it that succeeded began; null if none has yet.').example('2026-11-20T09:34:05.000Z'),
});

export const endpointHealthSchema = Joi.object({
  ...endpointFields,
  paused_at: timestampOrNull('Since when it is paused.').example(null),
  disabled_at: timestampOrNull('When it was disabled: `since` of a recovery. Null for any other status, and 30 days after it was disabled.').example(null),
  last_disabled_at: timestampOrNull('When it was last disabled, whether or not it is active again; null if it was not, and 30 days after.').example(null),
  dead_by_disabling: count.description("Dead deliveries that were given up when it was last disabled, of the institution's newest 20,000: no part of a recovery.").example(0),
  oldest_dead_by_disabling_at: timestampOrNull('When the oldest of them was created: a replay of them begins before.').example(null),
  failing_since: timestampOrNull('The first failure since the last success.').example('2026-11-20T09:30:00.000Z'),
  disable_at: timestampOrNull('When it is disabled unless an attempt succeeds before: 72 hours after `failing_since`, pauses not counted; null if it is not failing, and while it is paused. A past time waits for `attempts_to_disable`.').example('2026-11-23T09:30:00.000Z'),
  attempts_to_disable: attemptsToDisableSchema.allow(null).required().description('The attempts without which it is not disabled at `disable_at`, but once they are made. Null where `disable_at` is.'),
  last_outage: lastOutageSchema.allow(null).required().description('The last failed attempts in a row, whether or not it works again. Null if it has never failed, and once these attempts are no longer stored.'),
  circuit: circuit.required().description('`open` after 20 failures in a row: deliveries are held, and the oldest one is retried as a probe.').example('open'),
  circuit_opened_at: timestampOrNull('Since when the circuit is open.').example('2026-11-20T09:35:00.000Z'),
  next_probe_at: timestampOrNull('When the next probe is due; null while the circuit is closed.').example('2026-11-20T10:05:00.000Z'),
  backlog: backlogSchema,
}).meta({ title: 'EndpointHealth' });
export type EndpointHealthResponse = SchemaType<typeof endpointHealthSchema>;

/** The query of the list over all institutions. */
export const failingEndpointsQuery = Joi.object({
  state: Joi.string()
    .valid(...failingStates)
    .description('`failing` (default): attempts have failed since the last success, or the circuit is open; `open`: the circuit is open; `disabled`, `paused`: the status is; `any`: all of these.')
    .example('disabled'),
  circuit: circuit.description('Endpoints with this circuit.').example('open'),
  ...paging,
});

export const failingEndpointSchema = Joi.object({
  id: Joi.string().required().example('we_01jd4k6f2mep2s5xg5yhc8m1zr'),
  institution_id: Joi.string().required().example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
  institution_name: Joi.string().required().example('North School'),
  sandbox_of: Joi.string().allow(null).required().description('The institution whose sandbox it belongs to.').example(null),
  url: Joi.string().required().example('https://hooks.north.example/in'),
  description: Joi.string().allow(null, '').required().example('Gradebook'),
  status: Joi.string().valid(...endpointStatuses).required().example('active'),
  circuit: circuit.required().example('open'),
  circuit_opened_at: timestampOrNull('Since when the circuit is open.').example('2026-11-20T09:35:00.000Z'),
  next_probe_at: timestampOrNull('When the next probe is due; null while the circuit is closed.').example('2026-11-20T10:05:00.000Z'),
  disabled_reason: Joi.string().allow(null).required().description('Why the service disabled the endpoint.').example(null),
  disabled_at: timestampOrNull('When it was disabled. Null for any other status, and 30 days after it was disabled.').example(null),
  paused_at: timestampOrNull('Since when it is paused.').example(null),
  held: count.description(`Its held deliveries, counted up to ${(maxCount + 1).toLocaleString('en')}.`).example(140),
  first_held_deadline_at: timestampOrNull('When the first of the held ones is given up. A pause and a suspension put it off by as long as they last, once they end; an open circuit does not.').example('2026-11-20T21:30:00.000Z'),
  dead: count.description(`Given up, of the institution's newest ${deadScanned}, counted up to ${(maxCount + 1).toLocaleString('en')}.`).example(3),
  failing_since: timestampOrNull('The first failure since the last success.').example('2026-11-20T09:30:00.000Z'),
  consecutive_failures: count.description('Failed attempts since the last success.').example(21),
  last_success_at: timestampOrNull('The last success.').example('2026-11-20T09:29:00.000Z'),
  last_failure_at: timestampOrNull('The last failure.').example('2026-11-20T09:59:00.000Z'),
  last_error: Joi.string().allow(null).required().description('How its last attempt failed: `HTTP` and the status code, or where it failed; null if it succeeded, and once attempts are no longer stored.').example('HTTP 503'),
}).meta({ title: 'FailingEndpoint' });
export type FailingEndpointResponse = SchemaType<typeof failingEndpointSchema>;
