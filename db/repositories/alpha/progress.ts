import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** A progress report of an app on one concept. */
export interface ProgressRow {
  ref: string;
  enrollment_id: string;
  concept_id: string;
  score: number;
  minutes: number;
  /** YYYY-MM-DD, in the institution's time zone at that moment. */
  day: string;
}

const byRef = statement(
  'alpha_progress_by_ref',
  `SELECT g.ref, g.enrollment_id, g.concept_id, g.score::float8 AS score, g.minutes, g.day::text AS day
     FROM alpha_progress g WHERE g.institution_id = $1 AND g.student_id = $2 AND g.ref = $3`,
);

/** Returns a student's progress report with a ref; with the student locked, no other can be added. */
export async function findProgressByRef(scope: InstitutionScope, studentId: string, ref: string): Promise<ProgressRow | undefined> {
  const [row] = await scope.sql<ProgressRow>(byRef, [scope.institutionId, studentId, ref]);
  return row;
}

const nthOfDay = statement(
  'alpha_progress_nth_of_day',
  'SELECT 1 FROM alpha_progress g WHERE g.institution_id = $1 AND g.student_id = $2 AND g.day = $3::date OFFSET $4::integer - 1 LIMIT 1',
);

/** Whether a locked student has at least this many progress reports on a day. */
export async function hasProgressReportsOnDay(scope: InstitutionScope, studentId: string, day: string, count: number): Promise<boolean> {
  return (await scope.sql(nthOfDay, [scope.institutionId, studentId, day, count])).length > 0;
}

const insert = statement(
  'alpha_progress_insert',
  `INSERT INTO alpha_progress (institution_id, student_id, ref, enrollment_id, concept_id, score, minutes, day, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8::date, $9)`,
);

/** Writes a progress report of a locked student. */
export async function insertProgress(scope: InstitutionScope, studentId: string, { ref, enrollment_id, concept_id, score, minutes, day }: ProgressRow, now: Date): Promise<void> {
  await scope.sql(insert, [scope.institutionId, studentId, ref, enrollment_id, concept_id, score, minutes, day, now]);
}

/** A day of an enrollment: the minutes so far, and the target at the time of the last report. */
export interface DayRow {
  minutes: number;
  target_minutes: number;
}

const addToDay = statement(
  'alpha_day_add',
  `INSERT INTO alpha_days AS d (institution_id, student_id, enrollment_id, day, minutes, target_minutes) VALUES ($1, $2, $3, $4::date, $5, $6)
   ON CONFLICT (enrollment_id, day) DO UPDATE SET minutes = least(d.minutes + excluded.minutes, $7::integer), target_minutes = excluded.target_minutes
   RETURNING d.minutes, d.target_minutes`,
);

/** Minutes of a locked student's enrollment to be added to a day. */
export interface AddedMinutes extends DayRow {
  enrollmentId: string;
  day: string;
}

/** Adds minutes to a day of an enrollment, up to a maximum per day; returns the day. */
export async function addMinutes(scope: InstitutionScope, studentId: string, { enrollmentId, day, minutes, target_minutes }: AddedMinutes, maxMinutes: number): Promise<DayRow> {
  const [row] = await scope.sql<DayRow>(addToDay, [scope.institutionId, studentId, enrollmentId, day, minutes, target_minutes, maxMinutes]);
  if (row === undefined) throw new Error('The day was not written');
  return row;
}
