import Joi from 'joi';
import { detailedEventTypes, feedBounds, plainEventTypes, serviceIdPrefix, type SentEvent } from '../../../domain/attempts/feedTypes';
import { count, checkJson, dateTime, text, wholeNumber } from '../../http/request/fields';

/** The detail of an event: the fields that its type requires, and any others that the app sends. */
const detail = (fields: Joi.SchemaMap) =>
  Joi.object(fields)
    .unknown()
    .custom(checkJson(feedBounds.detail))
    .description('Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and below 1e21.');

const common = {
  id: text(feedBounds.idLength)
    .pattern(new RegExp(`^${serviceIdPrefix}`), { invert: true })
    .messages({ 'string.pattern.invert.base': `{{#label}} must not begin with ${serviceIdPrefix}` })
    .required()
    .description("The client's, unique in the attempt: what is sent again under it is stored once.")
    .example('5f0c-17'),
  at: dateTime().required().description("By the app's clock.").example('2026-11-20T09:41:07.250Z'),
};

const seconds = Joi.number().min(0).max(86_400).required().description('How long the window was without the focus, in seconds.').example(12.5);
const tests = (outcome: string) => wholeNumber(0, 1_000_000).required().description(`How many sample tests ${outcome}.`).example(3);

/** The required detail of each event type that has one. */
const requiredDetails: Record<(typeof detailedEventTypes)[number], Joi.SchemaMap> = {
  focus_gained: { away_seconds: seconds },
  sample_tests_run: { passed: tests('passed'), failed: tests('failed') },
};

const eventOfType = (type: Joi.Schema, detailSchema: Joi.Schema) => Joi.object({ ...common, type: type.required().description('What happened.'), detail: detailSchema });
const plainType = Joi.string().valid(...plainEventTypes);

const event = Joi.alternatives<SentEvent>()
  .conditional('.type', {
    switch: [
      { is: plainType.required(), then: eventOfType(plainType.example('focus_lost'), detail({}).allow(null)) },
      ...detailedEventTypes.map((type) => ({ is: type, then: eventOfType(Joi.string().valid(type), detail(requiredDetails[type]).required()) })),
    ],
    otherwise: Joi.object({ type: Joi.string().valid(...plainEventTypes, ...detailedEventTypes).required() }).unknown().meta({ undocumented: true }),
  })
  .example({ id: '5f0c-17', type: 'focus_gained', at: '2026-11-20T09:41:07.250Z', detail: { away_seconds: 12.5 } });

/** A batch of proctoring events. */
export const eventBatchSchema = Joi.object({
  events: Joi.array().items(event).min(1).max(feedBounds.batch).required().description('What happened in the app.'),
}).required();


export const recordedEventsSchema = Joi.object({
  stored: count.description('Events that this call stored.').example(1),
  repeated: count.description('Events that were stored already, or stood twice in the batch.').example(0),
}).meta({ title: 'RecordedEvents' });
