import { newId } from '../../../domain/ids';
import type { TestApi, TestInstitution } from '../api';
import { columnOf, deliveryTableOf, type DeliveryTable, type StoredDelivery } from '../deliveries';

/** Writes one delivery as the sender would have left it, of an event that exists only where `eventId` names one; returns its id. */
export async function seedDelivery(api: TestApi, institution: Pick<TestInstitution, 'id'>, endpointId: string, fields: Partial<StoredDelivery> = {}, table?: DeliveryTable): Promise<string> {
  const createdAt = fields.createdAt ?? new Date();
  const delivery: StoredDelivery = {
    id: newId('whd'),
    institutionId: institution.id,
    endpointId,
    eventId: newId('evt'),
    eventType: 'exam.graded',
    eventCreatedAt: createdAt,
    status: 'pending',
    cycle: 1,
    attempts: 0,
    scheduleStep: 0,
    responseCode: null,
    errorClass: null,
    firstAttemptAt: null,
    nextAttemptAt: null,
    deadlineAt: null,
    deliveredAt: null,
    claimedBy: null,
    claimedUntil: null,
    retriedBy: fields.status === 'retrying' ? 'workflow' : null,
    heldAt: fields.status === 'held' ? createdAt : null,
    createdAt,
    ...fields,
  };
  const columns = Object.keys(delivery).map(columnOf);
  const parameters = columns.map((_column, index) => `$${index + 1}`);
  await api.api.domain.database.sql(`INSERT INTO ${table ?? deliveryTableOf(delivery.status)} (${columns.join()}) VALUES (${parameters.join()})`, Object.values(delivery));
  return delivery.id;
}

const insertEvents = `INSERT INTO events (id, institution_id, type, created_at, body)
  SELECT event_id, $1, 'student.email_mapped', created_at,
         json_build_object('id', event_id, 'type', 'student.email_mapped', 'created_at', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'institution_id', $1::text, 'data', json_build_object('student_id', 'stu_1'))::text
    FROM (SELECT event_id, $3::timestamptz + (ordinal - 1) * interval '1 millisecond' AS created_at
            FROM unnest($2::text[]) WITH ORDINALITY AS e (event_id, ordinal)) AS made`;

const insertDeliveries = (table: DeliveryTable): string => `INSERT INTO ${table} (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, cycle, attempts,
    schedule_step, first_attempt_at, response_code, deadline_at, created_at)
  SELECT id, $1, $2, event_id, 'student.email_mapped', $5, $6, 1, 12, 12, $5, 500, $5::timestamptz + interval '12 hours', $5::timestamptz + (ordinal - 1) * interval '1 millisecond'
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS d (id, event_id, ordinal)`;

/** Events of one institution are a millisecond apart or more. */
let nextCreation = Date.now() - 86_400_000;

/**
 * Writes deliveries that were given up after 12 attempts, each of an event of its own, created a millisecond after each
 * other, from `createdAt` on or else yesterday; returns their ids, oldest first.
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
  await sql(insertDeliveries(deliveryTableOf(status)), [id, endpointId, ids, eventIds, createdAt, status]);
  return ids;
}

/** The columns of an attempt that a test chooses; the defaults are those of a receiver that answers 500. */
export interface DeliveryAttemptFields {
  number: number;
  startedAt: Date;
  durationMs: number;
  connectMs: number | null;
  responseCode: number | null;
  errorClass: string | null;
  error: string | null;
  responseBody: string | null;
}

/** Writes an attempt of a delivery as the sender would have. */
export async function seedDeliveryAttempt({ api }: TestApi, deliveryId: string, fields: Partial<DeliveryAttemptFields> = {}): Promise<void> {
  const { number, startedAt, durationMs, connectMs, responseCode, errorClass, error, responseBody } = {
    number: 1, startedAt: new Date(), durationMs: 31, connectMs: 2, responseCode: 500, errorClass: 'http', error: null, responseBody: 'Internal Server Error', ...fields,
  };
  await api.domain.database.sql(
    `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body)
     SELECT id, $2, institution_id, endpoint_id, cycle, $3, $4, $5, $6, $7, $8, $9 FROM deliveries WHERE id = $1`,
    [deliveryId, number, startedAt, durationMs, connectMs, responseCode, errorClass, error, responseBody],
  );
}

/** Writes this many attempts of a delivery. */
export async function seedDeliveryAttempts({ api }: TestApi, deliveryId: string, count: number): Promise<void> {
  await api.domain.database.sql(
    `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, response_code)
     SELECT id, nth, institution_id, endpoint_id, 1, created_at, 12, 500 FROM deliveries, generate_series(1, $2::int) nth WHERE id = $1`,
    [deliveryId, count],
  );
}
