import type { Sql } from '../../db/statement';
import { retentionMs } from '../../domain/retention/periods';
import { newId } from '../../domain/ids';
import type { BenchInstitution } from '../institutions';
import type { SimulatedDay } from './calendar';

/** The number of rows of each kind that expire on each day, per institution. */
export const oldRowsPerDay = { events: 500, deliveries: 100, sessions: 20, signInCodes: 20 } as const;

const halfDayMs = 43_200_000;
/** Deliveries are kept to the end of their week. */
const weekMs = 604_800_000;

/** Returns a time that has passed a kind's period on the day, but not on the day before. */
const expiredAt = ({ midnight }: SimulatedDay, kind: keyof typeof oldRowsPerDay): Date => new Date(midnight.getTime() - halfDayMs - retentionMs[kind]);

/** Inserts the rows that each day's runs must delete: events, ended deliveries of the endpoint, sessions and sign-in codes of the admin. */
export async function seedOldRows(sql: Sql, { id }: BenchInstitution, endpointId: string, day: SimulatedDay): Promise<void> {
  await sql(
    `INSERT INTO events (id, institution_id, type, created_at, body)
     SELECT start_of_ids('evt', $2::timestamptz) || replace(gen_random_uuid()::text, '-', ''), $1, 'exam.graded', $2::timestamptz + nth * interval '1 ms', '{}' FROM generate_series(1, $3::int) nth`,
    [id, expiredAt(day, 'events'), oldRowsPerDay.events],
  );
  await sql(
    `INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, attempts, delivered_at, created_at)
     SELECT 'whd_' || gen_random_uuid(), $1, $4, 'evt_' || gen_random_uuid(), 'exam.graded', $2, 'delivered', 1, $2, $2::timestamptz + nth * interval '1 ms'
       FROM generate_series(1, $3::int) nth`,
    [id, new Date(expiredAt(day, 'deliveries').getTime() - weekMs), oldRowsPerDay.deliveries, endpointId],
  );
  await sql(
    `INSERT INTO sessions (id, institution_id, user_id, kind, token_hash, created_at, expires_at)
     SELECT 'sess_' || gen_random_uuid(), $1, u.id, 'faculty', sha256(gen_random_uuid()::text::bytea), $2, $2
       FROM users u, generate_series(1, $3::int) WHERE u.institution_id = $1 AND u.is_admin`,
    [id, expiredAt(day, 'sessions'), oldRowsPerDay.sessions],
  );
  await sql(
    `INSERT INTO sign_in_codes (id, institution_id, user_id, code_hmac, sent_to_hmac, created_at, expires_at)
     SELECT 'code_' || gen_random_uuid(), $1, u.id, $4::bytea, $4::bytea, $2, $2
       FROM users u, generate_series(1, $3::int) WHERE u.institution_id = $1 AND u.is_admin`,
    [id, expiredAt(day, 'signInCodes'), oldRowsPerDay.signInCodes, Buffer.from(newId('code'))],
  );
}

/** Sets the expiry of a student's license to the day's midnight, before its sweep. */
export async function setLicenseExpiry(sql: Sql, studentId: string, { midnight }: SimulatedDay): Promise<void> {
  await sql('UPDATE licenses SET expires_at = $2 WHERE user_id = $1', [studentId, midnight]);
}

/** Backdates the learning of this run to a day, except rows that were backdated before, so that the week's reports include it. */
export async function backdateLearning(sql: Sql, institutionIds: readonly string[], day: SimulatedDay, since: Date): Promise<void> {
  const at = new Date(day.midnight.getTime() + halfDayMs);
  const values = [institutionIds, at, since];
  const of = 'institution_id = ANY ($1)';
  await sql(`UPDATE alpha_enrollments SET created_at = $2 WHERE ${of} AND created_at >= $3`, values);
  await sql(`UPDATE alpha_mastery SET mastered_at = CASE WHEN mastered_at IS NULL THEN NULL ELSE $2::timestamptz END, updated_at = $2 WHERE ${of} AND updated_at >= $3`, values);
  await sql(`UPDATE alpha_points SET created_at = $2 WHERE ${of} AND created_at >= $3`, values);
  await sql(`UPDATE alpha_badges SET granted_at = $2 WHERE ${of} AND granted_at >= $3`, values);
  await sql(`UPDATE alpha_days SET day = ($2::timestamptz AT TIME ZONE 'UTC')::date WHERE ${of} AND day >= ($3::timestamptz AT TIME ZONE 'UTC')::date`, values);
}
