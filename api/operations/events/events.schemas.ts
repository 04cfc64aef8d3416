import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { eventPatterns, eventTypesMatching } from '../../../domain/events/patterns';
import { maxSinceMinutesAhead } from '../../../domain/events/sinceBounds';
import { dateTime, paging, timestamp } from '../../http/request/fields';

/** A pattern that names at least one known event type. */
const typePattern = Joi.string()
  .max(100)
  .custom((value: string, helpers) => (eventTypesMatching(value).length > 0 ? value : helpers.error('type.unknown')))
  .messages({ 'type.unknown': '{{#label}} must be an event type, a prefix of some such as exam.*, or *' })
  .meta({ jsonSchema: { enum: [...eventPatterns] } });

export const feedQuery = Joi.object({
  since: dateTime().description(`Returns events created after this time, exclusive: pass next_since of the last response, which is always accepted. At most ${maxSinceMinutesAhead} minutes ahead otherwise.`),
  type: typePattern.description('An event type, a prefix such as `exam.*`, or `*`. Operational events (`endpoint.*`) are listed only where their type is named.').example('exam.*'),
  limit: paging.limit,
});

/** An event as webhooks and the feed contain it (section Events, Delivery 3). */
export const envelopeSchema = Joi.object({
  id: Joi.string().required().description('Receivers dedupe on it.').example('evt_01jd4k6f2mep2s5xg5yhc8m1zr'),
  type: Joi.string().required().example('exam.graded'),
  created_at: timestamp().required().description('Unique in the institution, rising in the order of commits.').example('2026-11-20T09:30:00.000Z'),
  institution_id: Joi.string().required().example('ins_01jd4k6f2mep2s5xg5yhc8m1zr'),
  data: Joi.object().unknown(true).required().description('Of the shape that GET /events/types describes.').example({
    submission_id: 'sub_01jd4k6f2mep2s5xg5yhc8m1zr',
    exam_id: 'exm_01jd4k6f2mep2s5xg5yhc8m1zr',
    student_id: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr',
    score: 87.5,
    max_score: 100,
    resubmission_required: false,
  }),
}).meta({ title: 'Event' });
export type EventResponse = SchemaType<typeof envelopeSchema>;

export const feedSchema = Joi.object({
  items: Joi.array().items(envelopeSchema).required().description('Oldest first.'),
  has_more: Joi.boolean().required().description('Whether further events wait already.').example(false),
  next_since: timestamp()
    .allow(null)
    .required()
    .description('The newest created_at seen: the next `since`. Null while there is no event and none was passed.')
    .example('2026-11-20T09:30:00.000Z'),
});
export type EventFeedResponse = SchemaType<typeof feedSchema>;

export const eventTypesSchema = Joi.object({
  items: Joi.array()
    .items(
      Joi.object({
        type: Joi.string().required().example('exam.graded'),
        description: Joi.string().required().example('A submission was graded.'),
        operational: Joi.boolean().required().description('About the delivery of events: sent only to subscriptions that name it, exactly or by its prefix, never by `*`.').example(false),
        data_schema: Joi.object().unknown(true).required().description('JSON Schema of `data`.').example({ type: 'object' }),
      }).meta({ title: 'EventType' }),
    )
    .required(),
});
export type EventTypesResponse = SchemaType<typeof eventTypesSchema>;
