import type { ListedEvent } from '../../../db/repositories/support/events';
import type { ExplainedEvent } from '../../../domain/support/explainEvent';
import type { FoundItem, SearchResult } from '../../../domain/support/search';
import { isoOrNull } from '../../http/request/fields';
import type { ExplainedEventResponse, FoundResponse, ListedEventResponse, SearchResponse } from './support.schemas';

const presentFound = ({ kind, id, state, parent_id, institution_id, institution_name, created_at, description }: FoundItem): FoundResponse => ({
  kind, id, state, parent_id, institution_id, institution_name, created_at: created_at.toISOString(), description,
});

/** What a search found. */
export const presentSearch = ({ query, lookedFor, items, note }: SearchResult): SearchResponse => ({ query, looked_for: lookedFor, items: items.map(presentFound), note });

/** An event of a list. */
export const presentListedEvent = ({ id, type, created_at, deliveries }: ListedEvent): ListedEventResponse => ({ id, type, created_at: created_at.toISOString(), deliveries });

/** An event with what became of it at each endpoint. */
export const presentExplainedEvent = ({ event, endpoints }: ExplainedEvent): ExplainedEventResponse => ({
  id: event.id,
  type: event.type,
  created_at: event.created_at.toISOString(),
  institution_id: event.institution_id,
  institution_name: event.institution_name,
  time_zone: event.time_zone,
  pruned: event.body === null,
  endpoints: endpoints.map(({ endpoint_id, url, description, outcome, reason, at, delivery_id }) => ({ endpoint_id, url, description, outcome, reason, at: isoOrNull(at), delivery_id })),
});
