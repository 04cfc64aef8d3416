import { eventTypes } from '../../../domain/events/eventTypes';
import type { FeedPage } from '../../../domain/events/pollEvents';
import { convert } from '../../http/openapi/convertJoi';
import { describeSchema } from '../../http/openapi/joiDescription';

/** An event's envelope, from the JSON text that is stored. */
export function presentEnvelope(body: string): unknown {
  return JSON.parse(body);
}

/** One step along the feed as the API answers it. */
export function presentFeed({ events, hasMore, nextSince }: FeedPage): object {
  return { items: events.map(({ body }) => presentEnvelope(body)), has_more: hasMore, next_since: nextSince?.toISOString() ?? null };
}

const types = Object.entries(eventTypes).map(([type, { description, data }]) => ({
  type,
  description,
  data_schema: convert(describeSchema(data), { direction: 'response', register: (_title, schema) => schema }),
}));

/** Every event type with its description and the JSON Schema of its data. */
export function presentEventTypes(): object {
  return { items: types };
}
