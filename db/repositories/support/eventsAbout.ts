import type { InstitutionScope } from '../../database';
import { deliveriesOfEvent, type EventFilter, type ListedEvent } from './events';

/** One page of the events about something: its rows, and the time of the next page, if there may be more. */
export interface EventsAbout {
  rows: ListedEvent[];
  next: { id: string; created_at: Date } | undefined;
  /** False if the maximum number of events was scanned before the page was full. */
  complete: boolean;
}

/** Maximum number of events that a page scans: no index has what they name. */
const maxEventsScanned = 20_000;

// Not prepared, so that the plan fits the given filters.
const scan =
  `SELECT id, type, created_at, body FROM events
    WHERE institution_id = $1 AND ($2::text IS NULL OR type = $2) AND ($3::timestamptz IS NULL OR created_at > $3)
      AND ($4::timestamptz IS NULL OR created_at <= $4) AND ($5::timestamptz IS NULL OR created_at < $5)
    ORDER BY created_at DESC LIMIT $6`;

const pageAbout =
  `SELECT v.id, v.type, v.created_at, ${deliveriesOfEvent} FROM (${scan}) v
    WHERE EXISTS (SELECT 1 FROM unnest($7::text[]) AS named (name) WHERE strpos(v.body, '"' || named.name || '"') > 0)
    ORDER BY v.created_at DESC LIMIT $8`;
const endOfScan = `SELECT v.id, v.created_at FROM (${scan}) v ORDER BY v.created_at DESC OFFSET $6::int - 1`;

/** Returns at most `limit` of the institution's events whose content has one of these names as a value, newest first, before a time. */
export async function listEventsAbout(
  scope: InstitutionScope,
  { type, since, until }: EventFilter,
  names: readonly string[],
  before: Date | undefined,
  limit: number,
): Promise<EventsAbout> {
  const scanned = [scope.institutionId, type ?? null, since ?? null, until ?? null, before ?? null, maxEventsScanned];
  const found = await scope.sql<ListedEvent>(pageAbout, [...scanned, names, limit + 1]);
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, next: rows.at(-1), complete: true };
  const [end] = await scope.sql<{ id: string; created_at: Date }>(endOfScan, scanned);
  return { rows, next: end, complete: end === undefined };
}
