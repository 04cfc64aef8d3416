import type { InstitutionScope } from '../../db/database';
import type { Page, PageOf } from '../../db/page';
import { listEvents, type EventFilter, type ListedEvent } from '../../db/repositories/support/events';
import { findEventIdsAbout, maxEventsScanned } from '../../db/repositories/support/eventsAbout';
import { eventTypesMatching } from '../events/patterns';
import { noWholeIdText } from '../../lib/typeId';
import { readTarget } from './typedTarget';

/** Which events are listed: `type` is an event type or a pattern of some, such as `exam.*`; `about` has those whose content names this id, or the person with this login email. */
export interface EventSearch extends Omit<EventFilter, 'types' | 'ids'> {
  about?: string | undefined;
}

/** Returns why no event can be about a text; undefined if one may be. */
export const noEventAboutText = (about: string): string | undefined =>
  about.includes('@') ? undefined : noWholeIdText(about, 'id', "such as stu_… or exm_…, and login emails; not names, nor a student_id of the school's own");

/** A page of events, and what to know of the search for them. */
export interface FoundEvents {
  page: PageOf<ListedEvent>;
  note: string | undefined;
}

/** The filter by a pattern; a single type has an index of its own. */
function filterByPattern(pattern: string | undefined): Pick<EventFilter, 'type' | 'types'> {
  const types = pattern === undefined ? undefined : eventTypesMatching(pattern);
  return types?.length === 1 ? { type: types[0] } : { types };
}

/** Returns a page of the institution's events, newest first. What they are about is looked for among the newest 20,000 that the other filters leave; the note says if there are more, or why none can match. */
export async function searchEvents(scope: InstitutionScope, { about, type, ...range }: EventSearch, page: Page): Promise<FoundEvents> {
  const filter = { ...range, ...filterByPattern(type) };
  if (about === undefined) return { page: await listEvents(scope, filter, page), note: undefined };
  const { names, unknown } = await readTarget(scope, about);
  const { ids, searchedTo } = await findEventIdsAbout(scope, filter, names);
  const bound = searchedTo && `Only the newest ${maxEventsScanned.toLocaleString('en')} events were searched, back to ${searchedTo.toISOString()}: give an earlier until, or a type, for the others.`;
  const why = unknown ?? noEventAboutText(about);
  return { page: await listEvents(scope, { ...filter, ids }, page), note: ids.length === 0 && why !== undefined ? why : bound };
}
