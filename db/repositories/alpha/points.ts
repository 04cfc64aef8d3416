import type { InstitutionScope } from '../../database';
import type { Page, PageOf, Position } from '../../page';
import { statement } from '../../statement';

/** An entry of a student's points, with the balance after it. */
export interface PointsRow {
  id: string;
  student_id: string;
  number: number;
  points: number;
  balance: number;
  note: string | null;
  ref: string;
  created_at: Date;
}

const columns = 'p.id, p.student_id, p.number, p.points, p.balance, p.note, p.ref, p.created_at';

const byRef = statement('alpha_points_by_ref', `SELECT ${columns} FROM alpha_points p WHERE p.institution_id = $1 AND p.ref = $2`);

/** Returns the entry with a ref, of any student of the institution. */
export async function findPointsByRef({ institutionId, sql }: InstitutionScope, ref: string): Promise<PointsRow | undefined> {
  const [row] = await sql<PointsRow>(byRef, [institutionId, ref]);
  return row;
}

/** An entry to be written. */
export type NewPoints = Pick<PointsRow, 'id' | 'student_id' | 'points' | 'note' | 'ref'>;

// One statement, so that counters and entry are consistent. The time never decreases within a ledger, although a transaction
// that waited for the lock began earlier.
const write = statement(
  'alpha_points_write',
  `WITH standing AS (
     UPDATE alpha_students
        SET points = points + $4::integer, points_earned = points_earned + greatest($4::integer, 0),
            points_deducted = points_deducted + greatest(-$4::integer, 0), last_number = coalesce(last_number, 0) + 1
      WHERE institution_id = $1 AND student_id = $3 RETURNING points, last_number
   ), p AS (
     INSERT INTO alpha_points (id, institution_id, student_id, number, points, balance, note, ref, created_at)
     SELECT $2, $1, $3, s.last_number, $4::integer, s.points, $5, $6,
            greatest($7::timestamptz, (SELECT b.created_at FROM alpha_points b WHERE b.student_id = $3 AND b.number = s.last_number - 1))
       FROM standing s RETURNING *
   )
   SELECT ${columns} FROM p`,
);

/** The unique index on a ref within an institution. */
export const pointsRefIndex = 'alpha_points_ref';

/**
 * Inserts an entry and updates the counters of its locked student. Fails on {@link pointsRefIndex} if another student's
 * entry has the ref.
 */
export async function writePoints({ institutionId, sql }: InstitutionScope, { id, student_id, points, note, ref }: NewPoints, now: Date): Promise<PointsRow> {
  const [row] = await sql<PointsRow>(write, [institutionId, id, student_id, points, note, ref, now]);
  if (row === undefined) throw new Error('The student is not locked');
  return row;
}

// Entries are numbered without gaps, so that a page is found by number in a ledger of any length. Not prepared, so that it
// is planned for the current ledger.
const page = `SELECT ${columns} FROM alpha_points p
  WHERE p.institution_id = $1 AND p.student_id = $2 AND p.number <= $3::integer AND p.number > $3::integer - $4::integer ORDER BY p.number DESC`;

/** Returns one page of a student's entries, newest first; the newest has the number `total`. */
export async function listPoints(
  { institutionId, sql }: InstitutionScope,
  studentId: string,
  total: number,
  { page: nth, limit, cursor }: Page,
): Promise<PageOf<PointsRow>> {
  const newest = cursor?.after === undefined ? total - (nth - 1) * limit : newestAfter(cursor.after, total);
  const rows = newest < 1 ? [] : await sql<PointsRow>(page, [institutionId, studentId, newest, limit]);
  const last = rows.at(-1)?.number ?? 1;
  return { rows, total: cursor?.after === undefined ? total : null, next: last > 1 ? [String(last)] : null };
}

/** The number of the newest entry after a position, which is the number of the entry before. */
const newestAfter = (position: Position | null, total: number): number => (position === null ? total : Number(position[0]) - 1);

const newest = statement(
  'alpha_points_newest',
  'SELECT p.created_at FROM alpha_points p WHERE p.institution_id = $1 AND p.student_id = $2 AND p.number = $3',
);

/** Returns when the entry with this number was created; null for null. */
export async function findPointsCreatedAt({ institutionId, sql }: InstitutionScope, studentId: string, number: number | null): Promise<Date | null> {
  const [row] = await sql<{ created_at: Date }>(newest, [institutionId, studentId, number]);
  return row?.created_at ?? null;
}
