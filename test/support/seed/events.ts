import { sampleEvent } from '../../../domain/events/sampleEvent';
import type { EventType } from '../../../domain/events/eventTypes';
import { newId } from '../../../domain/ids';
import type { TestApi, TestInstitution } from '../api';

/** Writes this many events of one type as they were appended, a millisecond apart from `createdAt` on; returns their ids. */
export async function seedEvents(
  { api }: TestApi,
  { id: institutionId }: Pick<TestInstitution, 'id'>,
  { createdAt, type = 'exam.graded', count = 1, queued = false }: { createdAt: Date; type?: EventType; count?: number; queued?: boolean },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('evt'));
  await api.domain.database.sql(
    `INSERT INTO events (id, institution_id, type, created_at, body)
     SELECT id, $2, $3, at, json_build_object('id', id, 'type', $3::text, 'created_at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                                              'institution_id', $2::text, 'data', $5::json)
       FROM unnest($1::text[]) WITH ORDINALITY AS e (id, nth) CROSS JOIN LATERAL (SELECT $4::timestamptz + (nth - 1) * interval '1 ms' AS at) stamp`,
    [ids, institutionId, type, createdAt, JSON.stringify(sampleEvent(type).data)],
  );
  if (queued) {
    await api.domain.database.sql(
      'INSERT INTO event_queue (event_id, institution_id, type, created_at) SELECT id, institution_id, type, created_at FROM events WHERE id = ANY ($1)',
      [ids],
    );
  }
  return ids;
}
