import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** A student's points with their counters, and the streak as of the last day on which the target was met. */
export interface AlphaStudentRow {
  points: number;
  points_earned: number;
  points_deducted: number;
  /** The number of the newest ledger entry; null without one. */
  last_number: number | null;
  streak_days: number;
  longest_streak_days: number;
  /** YYYY-MM-DD, in the institution's time zone. */
  last_met_day: string | null;
}

const columns = `s.points, s.points_earned::float8 AS points_earned, s.points_deducted::float8 AS points_deducted, s.last_number,
  s.streak_days, s.longest_streak_days, s.last_met_day::text AS last_met_day`;

const own = 'FROM alpha_students s WHERE s.institution_id = $1 AND s.student_id = $2';
const find = statement('alpha_student', `SELECT ${columns} ${own}`);
const insertMissing = statement('alpha_student_open', 'INSERT INTO alpha_students (student_id, institution_id) VALUES ($2, $1) ON CONFLICT (student_id) DO NOTHING');
const lock = statement('alpha_student_lock', `SELECT ${columns} ${own} FOR NO KEY UPDATE`);

/** The initial values of a student without points and days. */
const initialRow: AlphaStudentRow = { points: 0, points_earned: 0, points_deducted: 0, last_number: null, streak_days: 0, longest_streak_days: 0, last_met_day: null };

/** Returns the points and streak of a student. */
export async function findAlphaStudent(scope: InstitutionScope, studentId: string): Promise<AlphaStudentRow> {
  const [row] = await scope.sql<AlphaStudentRow>(find, [scope.institutionId, studentId]);
  return row ?? initialRow;
}

/** The same, locked: changes of a student's points, progress and badges are serialised. */
export async function lockAlphaStudent(scope: InstitutionScope, studentId: string): Promise<AlphaStudentRow> {
  const one = [scope.institutionId, studentId];
  await scope.sql(insertMissing, one);
  const [row] = await scope.sql<AlphaStudentRow>(lock, one);
  if (row === undefined) throw new Error('The student is not of this institution');
  return row;
}

const streak = statement(
  'alpha_student_streak',
  'UPDATE alpha_students SET streak_days = $3, longest_streak_days = $4, last_met_day = $5::date WHERE institution_id = $1 AND student_id = $2',
);

/** Writes the streak of a locked student. */
export async function writeStreak(
  scope: InstitutionScope,
  studentId: string,
  { streak_days, longest_streak_days, last_met_day }: Pick<AlphaStudentRow, 'streak_days' | 'longest_streak_days' | 'last_met_day'>,
): Promise<void> {
  await scope.sql(streak, [scope.institutionId, studentId, streak_days, longest_streak_days, last_met_day]);
}

/** A student on the leaderboard. */
export interface LeaderRow {
  student_id: string;
  login_email: string;
  full_name: string | null;
  points: number;
  streak_days: number;
  last_met_day: string | null;
}

// Not prepared, so that the plan uses the ranking's index for this limit; a cached plan from a small table would sort all
// rows.
const leaders = `SELECT s.student_id, e.login_email, u.full_name, s.points, s.streak_days, s.last_met_day::text AS last_met_day
  FROM alpha_students s JOIN users u ON u.id = s.student_id JOIN institution_emails e ON e.user_id = u.id
 WHERE s.institution_id = $1 AND s.points > 0 AND u.status <> 'suspended'
 ORDER BY s.points DESC, s.student_id LIMIT $2`;

/** Returns the students with the most points, at most `limit`, without suspended ones and those without points. */
export function listLeaders(scope: InstitutionScope, limit: number): Promise<LeaderRow[]> {
  return scope.sql<LeaderRow>(leaders, [scope.institutionId, limit]);
}
