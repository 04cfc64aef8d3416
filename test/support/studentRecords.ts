import type { Sql } from '../../db/statement';

/** What a student consists of in the database; a whole one has one of each and both events. */
export interface StudentRecords {
  id: string;
  student_id: string;
  emails: number;
  licenses: number;
  events: string[];
}

/** Every student of an institution that carries an identifier of the institution's own. */
export function studentRecordsOf(sql: Sql, institutionId: string): Promise<StudentRecords[]> {
  return sql<StudentRecords>(
    `WITH about AS (
       SELECT e.type, coalesce(e.body::json -> 'data' ->> 'student_id', e.body::json -> 'data' ->> 'user_id') AS user_id
         FROM events e WHERE e.institution_id = $1
     )
     SELECT u.id, u.external_id AS student_id,
            (SELECT count(*)::int FROM institution_emails m WHERE m.user_id = u.id) AS emails,
            (SELECT count(*)::int FROM licenses l WHERE l.user_id = u.id) AS licenses,
            coalesce(a.types, '{}') AS events
       FROM users u LEFT JOIN (SELECT user_id, array_agg(type ORDER BY type) AS types FROM about GROUP BY user_id) a ON a.user_id = u.id
      WHERE u.institution_id = $1 AND u.external_id IS NOT NULL`,
    [institutionId],
  );
}

/** Those of which a part is missing or there twice. */
export const incompleteStudents = (traces: readonly StudentRecords[]): StudentRecords[] =>
  traces.filter(({ emails, licenses, events }) => emails !== 1 || licenses !== 1 || events.join() !== 'license.generated,student.created');

/** Ids of the events since the institution has an endpoint. */
export async function announcedEvents(sql: Sql, institutionId: string): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `SELECT id FROM events
      WHERE institution_id = $1 AND created_at >= (SELECT min(created_at) FROM webhook_endpoints WHERE institution_id = $1)`,
    [institutionId],
  );
  return rows.map(({ id }) => id);
}

/** Counts the deliveries of an institution by status. */
export async function countByStatus(sql: Sql, institutionId: string): Promise<Record<string, number>> {
  const rows = await sql<{ status: string; count: number }>(
    'SELECT status, count(*)::int AS count FROM deliveries WHERE institution_id = $1 GROUP BY status',
    [institutionId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Makes every claim on a first attempt expire immediately, as if its lease had passed; returns how many there were. */
export async function expireClaims(sql: Sql): Promise<number> {
  const expired = await sql("UPDATE open_deliveries SET claimed_until = now() WHERE claimed_by IS NOT NULL AND status = 'pending' RETURNING id");
  return expired.length;
}
