import Joi from 'joi';
import { didYouMean } from '../../../lib/closestMatch';
import type { SchemaType } from '../../../lib/schemaType';
import type { EventType } from '../../../domain/events/eventTypes';
import { exampleTimes } from '../../../domain/exampleSchool';
import { eventPatterns, eventTypesMatching } from '../../../domain/events/patterns';
import { sampleEvent, type EventOf } from '../../../domain/events/sampleEvent';
import { maxSinceMinutesAhead } from '../../../domain/events/sinceBounds';
import { envelopeSchema } from '../../http/openapi/eventSchemas';
import { dateTime, paging, timestamp } from '../../http/request/fields';

/** A pattern that names at least one known event type. */
export const typePattern = Joi.string()
  .max(100)
  .custom((value: string, helpers) => (eventTypesMatching(value).length > 0 ? value : helpers.error('type.unknown', { unknown: `${value} is none${didYouMean(value, eventPatterns)}` })))
  .messages({ 'type.unknown': '{{#label}} must be one pattern: an event type, a prefix of some such as exam.*, or *; {{#unknown}}. GET /v1/events/types lists them' })
  .meta({ jsonSchema: { enum: [...eventPatterns] } });

export const feedQuery = Joi.object({
  since: dateTime().description(`Returns events created after this time, exclusive: pass next_since of the last response, which is always accepted. At most ${maxSinceMinutesAhead} minutes ahead otherwise.`),
  type: typePattern.description('An event type, a prefix such as `exam.*`, or `*`. Operational events (`endpoint.*`) are listed only where their type is named.').example('exam.*'),
  limit: paging.limit,
});

export type EventResponse = EventOf<EventType>;

export const feedSchema = Joi.object({
  items: Joi.array().items(envelopeSchema).required().description('Oldest first.'),
  has_more: Joi.boolean().required().description('Whether further events wait already.').example(false),
  next_since: timestamp()
    .allow(null)
    .required()
    .description('The newest created_at seen: the next `since`. Null while there is no event and none was passed.')
    .example(exampleTimes.graded),
});
export type EventFeedResponse = SchemaType<typeof feedSchema>;

const id = { type: 'string' };
const exampleDataSchema = {
  type: 'object',
  properties: { submission_id: id, exam_id: id, student_id: id, score: { type: 'number' }, max_score: { type: 'number' }, resubmission_required: { type: 'boolean' } },
};

export const eventTypesSchema = Joi.object({
  items: Joi.array()
    .items(
      Joi.object({
        type: Joi.string().required().example('exam.graded'),
        description: Joi.string().required().example('A submission was graded.'),
        operational: Joi.boolean().required().description('About the delivery of events: sent only to subscriptions that name it, exactly or by its prefix, never by `*`.').example(false),
        data_schema: Joi.object().unknown(true).required().description('JSON Schema of `data`.').example(exampleDataSchema),
        sample: Joi.object()
          .unknown(true)
          .required()
          .description('Example of `data`; the test of an endpoint sends it. Ids are the same in every type.')
          .example(sampleEvent('exam.graded').data),
      }).meta({ title: 'EventType' }),
    )
    .required(),
});
export type EventTypesResponse = SchemaType<typeof eventTypesSchema>;
