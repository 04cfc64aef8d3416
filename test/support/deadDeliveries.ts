import { newId } from '../../domain/ids';
import type { TestApi, TestInstitution } from './api';
import type { StoredDelivery } from './deliveries';

const insertEvents = `INSERT INTO events (id, institution_id, type, created_at, body)
  SELECT event_id, $1, 'student.email_mapped', created_at,
         json_build_object('id', event_id, 'type', 'student.email_mapped', 'created_at', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'institution_id', $1::text, 'data', json_build_object('student_id', 'stu_1'))::text
    FROM (SELECT event_id, $3::timestamptz + (ordinal - 1) * interval '1 millisecond' AS created_at
            FROM unnest($2::text[]) WITH ORDINALITY AS e (event_id, ordinal)) AS made`;

const insertDeliveries = `INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, cycle, attempts,
    schedule_step, first_attempt_at, response_code, deadline_at, created_at)
  SELECT id, $1, $2, event_id, 'student.email_mapped', $5, $6, 1, 12, 12, $5, 500, $5::timestamptz + interval '12 hours', $5::timestamptz + (ordinal - 1) * interval '1 millisecond'
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS d (id, event_id, ordinal)`;

/** Events of one institution are a millisecond apart or more. */
let nextCreation = Date.now() - 86_400_000;

/**
 * Writes deliveries that were given up after 12 attempts, each of an event of its own, created a millisecond after each
 * other, from `createdAt` on or else yesterday; answers their ids, oldest first.
 */
export async function seedDeadDeliveries(
  { api }: TestApi,
  { id }: Pick<TestInstitution, 'id'>,
  endpointId: string,
  count: number,
  { createdAt = new Date(nextCreation), status = 'dead' }: Partial<Pick<StoredDelivery, 'createdAt' | 'status'>> = {},
): Promise<string[]> {
  nextCreation += count;
  const { sql } = api.domain.database;
  const ids = Array.from({ length: count }, () => newId('whd'));
  const eventIds = ids.map(() => newId('evt'));
  await sql(insertEvents, [id, eventIds, createdAt]);
  await sql(insertDeliveries, [id, endpointId, ids, eventIds, createdAt, status]);
  return ids;
}
