import type { EventData, EventType } from '../../domain/events/eventTypes';
import type { TestApi, TestInstitution } from './api';

/** An event as it was appended. */
export interface AppendedEvent {
  type: EventType;
  data: EventData[EventType];
}

/** Every event of the institution so far, oldest first, read from the table. */
export async function eventsOf({ api }: TestApi, { id }: Pick<TestInstitution, 'id'>): Promise<AppendedEvent[]> {
  const rows = await api.domain.database.sql<{ body: string }>('SELECT body FROM events WHERE institution_id = $1 ORDER BY created_at', [id]);
  return rows.map(({ body }) => {
    const { type, data }: AppendedEvent = JSON.parse(body);
    return { type, data };
  });
}

/** The events that some work appends to the institution's feed. */
export async function eventsDuring(api: TestApi, institution: Pick<TestInstitution, 'id'>, work: () => Promise<unknown>): Promise<AppendedEvent[]> {
  const before = await eventsOf(api, institution);
  await work();
  return (await eventsOf(api, institution)).slice(before.length);
}
