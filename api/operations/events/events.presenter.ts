import { eventTypes, isOperational } from '../../../domain/events/eventTypes';
import type { FeedPage } from '../../../domain/events/pollEvents';
import { convert } from '../../http/openapi/convertJoi';
import { describeSchema } from '../../http/openapi/joiDescription';
import { isoOrNull } from '../../http/request/fields';
import type { EventFeedResponse, EventResponse, EventTypesResponse } from './events.schemas';

/** An event's envelope, from the JSON text that is stored. */
export function presentEnvelope(body: string): EventResponse {
  const envelope: unknown = JSON.parse(body);
  if (!isEnvelope(envelope)) throw new Error('The stored event is no envelope');
  return envelope;
}

/** The stored text was validated when it was written, so only its shape is checked. */
const isEnvelope = (value: unknown): value is EventResponse => typeof value === 'object' && value !== null && 'id' in value && 'data' in value;

/** One page of the feed. */
export function presentFeed({ events, hasMore, nextSince }: FeedPage): EventFeedResponse {
  return { items: events.map(({ body }) => presentEnvelope(body)), has_more: hasMore, next_since: isoOrNull(nextSince) };
}

const types = Object.entries(eventTypes).map(([type, { description, data, sample }]) => ({
  type,
  description,
  operational: isOperational(type),
  data_schema: { ...convert(describeSchema(data), { direction: 'response', register: (_title, schema) => schema }) },
  sample: { ...sample },
}));

/** Every event type with its description and the JSON Schema of its data. */
export function presentEventTypes(): EventTypesResponse {
  return { items: types };
}
