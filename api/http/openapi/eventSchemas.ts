import Joi from 'joi';
import { sampleEvent, type EventOf, type SampleEvent } from '../../../domain/events/sampleEvent';
import { eventTypeNames, eventTypes, type EventType } from '../../../domain/events/eventTypes';
import { timestamp } from '../request/fields';

/** An event type as the name of its schema: `exam.attempt_started` becomes `ExamAttemptStartedEvent`. */
const schemaName = (type: EventType): string => `${type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Event`;

/** How the documents describe the event of a type. */
export interface EventSchema {
  type: EventType;
  /** The name of the component. */
  title: string;
  description: string;
  schema: Joi.ObjectSchema;
  sample: SampleEvent;
}

/** The event of each type, as webhooks and the feed contain it (section Events, Delivery 3). */
export const eventSchemas = eventTypeNames.map((type): EventSchema => {
  const { description, data } = eventTypes[type];
  const title = schemaName(type);
  const sample = sampleEvent(type);
  const schema = Joi.object({
    id: Joi.string().required().description('Receivers dedupe on it.'),
    type: Joi.string().required().custom((value: string, helpers) => (value === type ? value : helpers.error('any.only', { valids: [type] }))).meta({ jsonSchema: { const: type } }),
    created_at: timestamp().required().description('Unique in the institution, rising in the order of commits.'),
    institution_id: Joi.string().required(),
    data: data.required().meta({ title: `${title}Data` }),
  }).description(description).meta({ title });
  return { type, title, description, schema, sample };
});

/** Any event, discriminated by its type. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- The type of a list of schemas is not that of each of them, so it is declared.
export const envelopeSchema: Joi.AlternativesSchema<EventOf<EventType>> = Joi.alternatives()
  .try(...eventSchemas.map(({ schema }) => schema))
  .match('one')
  .description('An event, discriminated by `type`. Types may be added: ignore those that you do not know.')
  .meta({
    title: 'Event',
    jsonSchema: { discriminator: { propertyName: 'type', mapping: Object.fromEntries(eventSchemas.map(({ type, title }) => [type, `#/components/schemas/${title}`])) } },
  })
  .example(sampleEvent('exam.graded'));
