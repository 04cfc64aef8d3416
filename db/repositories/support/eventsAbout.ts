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
export const maxEventsScanned = 20_000;

// Not prepared, so that the plan fits the given filters.
const scan = (types = 'NULL'): string =>
  `SELECT id, type, created_at, body, row_number() OVER (ORDER BY created_at DESC) AS nth FROM events
    WHERE institution_id = $1 AND ($2::text IS NULL OR type = $2) AND (${types}::text[] IS NULL OR type = ANY (${types}::text[])) AND ($3::timestamptz IS NULL OR created_at > $3)
      AND ($4::timestamptz IS NULL OR created_at <= $4) AND ($5::timestamptz IS NULL OR created_at < $5)
    ORDER BY created_at DESC LIMIT $6`;

const namesOne = `EXISTS (SELECT 1 FROM unnest($7::text[]) AS named (name) WHERE strpos(s.body, '"' || named.name || '"') > 0)`;

// The last event that is scanned comes with the others, also if it does not match: the next page begins there.
const pageAbout =
  `SELECT v.id, v.type, v.created_at, v.matches, v.nth = $6 AS ends, ${deliveriesOfEvent}
     FROM (SELECT s.*, ${namesOne} AS matches FROM (${scan()}) s) v
    WHERE v.matches OR v.nth = $6 ORDER BY v.created_at DESC LIMIT $8`;

/** A row of the page: an event that matches, or the one at which the scan ends. */
interface ScannedEvent extends ListedEvent {
  matches: boolean;
  ends: boolean;
}

/** Returns at most `limit` of the institution's events whose content has one of these names as a value, newest first, before a time. */
export async function listEventsAbout(
  scope: Pick<InstitutionScope, 'institutionId' | 'sql'>,
  { type, since, until }: Omit<EventFilter, 'types' | 'ids'>,
  names: readonly string[],
  before: Date | undefined,
  limit: number,
): Promise<EventsAbout> {
  const values = [scope.institutionId, type ?? null, since ?? null, until ?? null, before ?? null, maxEventsScanned, names, limit + 1];
  const found = await scope.sql<ScannedEvent>(pageAbout, values);
  const matching = found.filter(({ matches }) => matches);
  const rows = matching.slice(0, limit);
  if (matching.length > limit) return { rows, next: rows.at(-1), complete: true };
  const end = found.find(({ ends }) => ends);
  return { rows, next: end, complete: end === undefined };
}

// The same for a list with pages of its own, which has the rows themselves.
const idsAbout = `SELECT v.id, v.created_at, v.matches, v.nth = $6 AS ends FROM (SELECT s.*, ${namesOne} AS matches FROM (${scan('$8')}) s) v WHERE v.matches OR v.nth = $6`;

/** The ids of the events about something, among the newest of a bounded number. */
export interface EventIdsAbout {
  ids: string[];
  /** Back to when events were searched, if there are earlier ones. */
  searchedTo: Date | undefined;
}

/** Returns the ids of the institution's events whose content has one of these names as a value, among the newest 20,000 that a filter leaves. */
export async function findEventIdsAbout({ institutionId, sql }: Pick<InstitutionScope, 'institutionId' | 'sql'>, { type, types, since, until }: EventFilter, names: readonly string[]): Promise<EventIdsAbout> {
  const found = await sql<Omit<ScannedEvent, 'type' | 'deliveries'>>(idsAbout, [institutionId, type ?? null, since ?? null, until ?? null, null, maxEventsScanned, names, types ?? null]);
  return { ids: found.filter(({ matches }) => matches).map(({ id }) => id), searchedTo: found.find(({ ends }) => ends)?.created_at };
}
