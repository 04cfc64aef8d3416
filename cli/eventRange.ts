import type { Event } from '../clients/typescript/src/openapi';
import type { KeyContext } from './context';
import type { EventPattern } from './eventPattern';
import { readFeed } from './feed';
import { timeOfKey } from './timeRange';

/** Which events are listed. */
export interface EventRange {
  types: readonly EventPattern[];
  /** Created after this time. */
  begin: string;
  /** Created up to this time. */
  until: string | undefined;
}

/** A part of the events of a range, oldest first. */
export interface EventPage {
  items: Event[];
  /** Whether later ones of the range follow. */
  has_more: boolean;
  /** Where to go on. */
  next_since: string | null;
}

const maxPageSize = 200;

/** Reads the oldest events of a range, at most `wanted`. */
export async function readOldest(context: KeyContext, { types, begin, until }: EventRange, wanted: number): Promise<EventPage> {
  const items: Event[] = [];
  const end = until === undefined ? Infinity : Date.parse(until);
  let position: string | undefined = begin;
  for (;;) {
    const page = await readFeed(context, { types }, position, Math.min(wanted, maxPageSize));
    for (const event of page.events) {
      if (Date.parse(event.created_at) > end) return { items, has_more: false, next_since: items.at(-1)?.created_at ?? position ?? null };
      if (items.length === wanted) return { items, has_more: true, next_since: items.at(-1)?.created_at ?? position ?? null };
      items.push(event);
    }
    position = page.since;
    if (!page.hasMore || items.length === wanted) return { items, has_more: page.hasMore, next_since: position ?? null };
  }
}

/** Reads a range to its end, and keeps its newest events, at most `wanted`. */
async function readTail(context: KeyContext, { types, begin, until }: EventRange, wanted: number): Promise<Event[]> {
  const end = until === undefined ? Infinity : Date.parse(until);
  let items: Event[] = [];
  let position: string | undefined = begin;
  for (;;) {
    const page = await readFeed(context, { types }, position, maxPageSize);
    const inRange = page.events.filter((event) => Date.parse(event.created_at) <= end);
    items = [...items, ...inRange].slice(-wanted);
    position = page.since;
    if (!page.hasMore || inRange.length < page.events.length) return items;
  }
}

const firstWindowMs = 60_000;
const windowGrowth = 8;

/**
 * Reads the newest events of a range, at most `wanted`. The feed goes forward only, so the range is read from a moment near its
 * end, and from earlier ones until there are enough.
 */
export async function readNewest(context: KeyContext, range: EventRange, wanted: number): Promise<EventPage> {
  const first = Date.parse(range.begin);
  const now = (await timeOfKey(context)).getTime();
  // A time that is still to come has no feed to read from.
  const end = range.until === undefined ? now : Math.min(Date.parse(range.until), now);
  for (let window = firstWindowMs; ; window *= windowGrowth) {
    const from = Math.max(first, end - window);
    const begin = from === first ? range.begin : new Date(from).toISOString();
    const items = await readTail(context, { ...range, begin }, wanted);
    if (items.length === wanted || from === first) return { items, has_more: false, next_since: items.at(-1)?.created_at ?? range.begin };
  }
}
