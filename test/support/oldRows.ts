import { newId } from '../../domain/ids';
import { withConnection } from '../../local/programs/postgres';
import type { TestApi, TestInstitution } from './api';

const dayMs = 86_400_000;

/** Writes so many events of one type as they were appended, a millisecond apart from `createdAt` on; answers their ids. */
export async function seedEvents(
  { api }: TestApi,
  { id: institutionId }: Pick<TestInstitution, 'id'>,
  { createdAt, type = 'exam.graded', count = 1, queued = false }: { createdAt: Date; type?: string; count?: number; queued?: boolean },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('evt'));
  await api.domain.database.sql(
    `INSERT INTO events (id, institution_id, type, created_at, body)
     SELECT id, $2, $3, at, json_build_object('id', id, 'type', $3::text, 'created_at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                                              'institution_id', $2::text, 'data', '{}'::json)
       FROM unnest($1::text[]) WITH ORDINALITY AS e (id, nth) CROSS JOIN LATERAL (SELECT $4::timestamptz + (nth - 1) * interval '1 ms' AS at) stamp`,
    [ids, institutionId, type, createdAt],
  );
  if (queued) {
    await api.domain.database.sql(
      'INSERT INTO event_queue (event_id, institution_id, type, created_at) SELECT id, institution_id, type, created_at FROM events WHERE id = ANY ($1)',
      [ids],
    );
  }
  return ids;
}

/** Writes so many attempts of a delivery. */
export async function seedDeliveryAttempts({ api }: TestApi, deliveryId: string, count: number): Promise<void> {
  await api.domain.database.sql(
    `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, response_code)
     SELECT id, nth, institution_id, endpoint_id, 1, created_at, 12, 500 FROM webhook_deliveries, generate_series(1, $2::int) nth WHERE id = $1`,
    [deliveryId, count],
  );
}

/** Writes so many calls into the audit log as of then, a millisecond apart; only its owner can. */
export async function seedAuditLog({ stack }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, { at, count = 1 }: { at: Date; count?: number }): Promise<void> {
  await withConnection(stack.ownerDatabaseUrl, async (client) => {
    await client.query(
      `INSERT INTO audit_log (id, institution_id, at, actor_kind, actor_id, operation, method, path, target, changed, request_id)
       SELECT 'aud_' || gen_random_uuid(), $1, $2::timestamptz + nth * interval '1 ms', 'key', 'key_1', 'createStudent', 'POST', '/v1/students',
              jsonb_build_object('created', 'stu_' || nth), '{full_name}', 'req_' || nth FROM generate_series(1, $3::int) nth`,
      [institutionId, at, count],
    );
  });
}

/** Writes so many tellings of the progress of an enrollment's student as of a moment, on its day of the UTC calendar unless it says otherwise. */
export async function seedProgressReports({ api }: TestApi, enrollmentId: string, { toldAt, count = 1, day = toldAt.toISOString().slice(0, 10) }: { toldAt: Date; count?: number; day?: string }): Promise<void> {
  await api.domain.database.sql(
    `INSERT INTO alpha_progress (student_id, ref, institution_id, enrollment_id, concept_id, score, minutes, day, created_at)
     SELECT student_id, 'planted-' || gen_random_uuid(), institution_id, id, 'c1', 50, 0, $2::date, $3 FROM alpha_enrollments, generate_series(1, $4::int) WHERE id = $1`,
    [enrollmentId, day, toldAt, count],
  );
}

/** So many days before a moment. */
export const daysBefore = (moment: Date, days: number): Date => new Date(moment.getTime() - days * dayMs);
