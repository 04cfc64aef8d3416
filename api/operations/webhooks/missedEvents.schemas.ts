import Joi from 'joi';
import { eventPatterns } from '../../../domain/events/patterns';
import { maxMissedListed } from '../../../domain/webhooks/missedEvents';
import { maxEventsCounted } from '../../../domain/webhooks/recoverDeliveries';
import { commaList } from '../../../lib/commaList';
import type { SchemaType } from '../../../lib/schemaType';
import { text, timestamp, timestampOrNull } from '../../http/request/fields';
import { sinceDateTime, untilDateTime } from '../../http/request/filters';

const patterns = text(2_000).custom((value: string, helpers) => {
  const given = commaList(value);
  return given.length > 0 && given.every((pattern) => eventPatterns.includes(pattern)) ? value : helpers.message({ custom: '{{#label}} must be event types, prefixes such as exam.*, or *, with commas between them' });
});

/** The range and the types that a recovery would have. */
export const missedEventsQuery = Joi.object({
  since: sinceDateTime('Events that happened after this moment, exclusively; without it, all that are stored.').example('2026-11-20T09:30:00Z'),
  until: untilDateTime('Events that happened up to this moment, inclusively; without it, up to the newest event.').example('2026-11-20T11:00:00Z'),
  event_types: patterns.description('Only of these types, with commas between them: exact ones, prefixes such as `exam.*`, or `*`.').example('exam.graded,student.*'),
});

const typeCounts = Joi.array().items(Joi.object({ type: Joi.string().required().example('exam.graded'), count: Joi.number().integer().required().example(3) })).required();

export const missedEventsSchema = Joi.object({
  matched: Joi.number().integer().required().description('Events that a recovery would send.').example(3),
  complete: Joi.boolean().required().description(`Whether these are all numbers: events are counted among the oldest ${maxEventsCounted.toLocaleString('en-US')} of the range.`).example(true),
  counted: Joi.array().items(Joi.string()).required().description('What is counted: what the endpoint subscribes to now; of `event_types` the types that it subscribes to.').example(['exam.graded']),
  types: typeCounts.description('How many events of each counted type, the most frequent first; without those that have none.'),
  not_subscribed: typeCounts.description('Events without a delivery that no recovery sends, because the endpoint does not subscribe to them: of `event_types`; without these only if its subscriptions were changed.'),
  subscriptions_changed_at: timestampOrNull('When its subscriptions were last changed; null if the audit log has no change of them.').example(null),
  first: Joi.array()
    .items(Joi.object({ id: Joi.string().required().example('evt_01jd4k6f2mep2s5xg5yhc8m1zr'), type: Joi.string().required().example('exam.graded'), created_at: timestamp().required().example('2026-11-20T09:30:00.000Z') }))
    .required()
    .description(`The oldest ${maxMissedListed} events that a recovery would send.`),
}).meta({ title: 'MissedEvents' });
export type MissedEventsResponse = SchemaType<typeof missedEventsSchema>;
