import { readEventBodies } from '../../db/repositories/support/events';
import type { InstitutionScope } from '../../db/database';
import { eventSubject } from '../../domain/support/eventSubject';
import { href, pathTo } from '../consoleRequest';
import { html, type Html } from '../html';

/** The ids of what events are about, by the ids of the events; none of a pruned event. */
export type EventSubjects = ReadonlyMap<string, string>;

/** Returns what some events of an institution are about, for a list. */
export async function readEventSubjects(scope: InstitutionScope, eventIds: readonly string[]): Promise<EventSubjects> {
  const bodies = await readEventBodies(scope, [...new Set(eventIds)]);
  return new Map([...bodies].flatMap(([id, body]) => {
    const subject = eventSubject(body);
    return subject === undefined ? [] : [[id, subject] as const];
  }));
}

/** The search of an id says who it is, and records that it was read. */
const subjectLink = (subject: string): Html => html`<a href="${href(pathTo.search, { q: subject })}"><code>${subject}</code></a>`;

/** Returns the cell of a list that says what an event is about. */
export function subjectCell(subjects: EventSubjects, eventId: string): Html {
  const subject = subjects.get(eventId);
  return subject === undefined ? html`<span class="faint">–</span>` : subjectLink(subject);
}

/** Returns a line below something of an event that says what it is about; null if that is not known. */
export function subjectLine(subjects: EventSubjects, eventId: string): Html | null {
  const subject = subjects.get(eventId);
  return subject === undefined ? null : html`<span class="second">about ${subjectLink(subject)}</span>`;
}
