import type { Badge } from '../../db/repositories/alpha/badges';
import { hasConcept } from '../../db/repositories/alpha/curricula';
import { lockEnrollment, writeEnrollmentStatus, type EnrollmentRow } from '../../db/repositories/alpha/enrollments';
import { findMastery, raiseMastery, readCurriculumProgress, type CurriculumProgress, type MasteryRow } from '../../db/repositories/alpha/mastery';
import { addMinutes, findProgressByRef, hasProgressReportsOnDay, insertProgress, type ProgressRow } from '../../db/repositories/alpha/progress';
import { lockAlphaStudent, writeStreak } from '../../db/repositories/alpha/students';
import type { Transaction } from '../context';
import { DomainError, validationError, notFound } from '../errors';
import { grantBadges } from './badges';
import { masteryForScore } from './mastery';
import { currentStreak, withToday, type Days, type Streak } from './streak';
import { todayAndYesterday, endOfToday } from './today';
import { enrollmentTransitions, requireLearning } from './transitions';

/** Maximum minutes of one report and of one enrollment per day; minutes above it are not counted. */
export const maxMinutesPerDay = 1_440;

/** Maximum number of progress reports of one student per day in the institution's time zone. */
export const maxProgressReportsPerDay = 1_000;

/** A progress report of an app: a score from 0 to 100, and the minutes spent. */
export type ProgressReport = Omit<ProgressRow, 'day'>;

/** The student's state after the report. */
export interface ProgressOutcome {
  applied: boolean;
  conceptId: string;
  concept: MasteryRow;
  enrollment: EnrollmentRow;
  progress: CurriculumProgress;
  streakDays: number;
  granted: Badge[];
}

async function requireOwnEnrollment(tx: Transaction, id: string, studentId: string): Promise<EnrollmentRow> {
  const enrollment = await lockEnrollment(tx, id);
  if (enrollment?.student_id !== studentId) throw notFound('enrollment');
  return enrollment;
}

const isSame = (earlier: ProgressRow, report: ProgressReport): boolean =>
  earlier.enrollment_id === report.enrollment_id && earlier.concept_id === report.concept_id && earlier.score === report.score && earlier.minutes === report.minutes;

/** `conflict` if the student has {@link maxProgressReportsPerDay} reports today; the message says when the next is accepted. */
async function requireDailyCapacity(tx: Transaction, studentId: string, today: string): Promise<void> {
  if (!(await hasProgressReportsOnDay(tx, studentId, today, maxProgressReportsPerDay))) return;
  const from = (await endOfToday(tx, tx.now)).toISOString();
  throw new DomainError('conflict', `Daily limit of ${maxProgressReportsPerDay.toLocaleString('en')} progress reports reached; retry after ${from}.`);
}

/** Returns the response to a repeated report: the student's current state. */
async function repeatedOutcome(tx: Transaction, studentId: string, streak: Streak, { concept_id: conceptId, enrollment_id: id }: ProgressReport): Promise<ProgressOutcome> {
  const enrollment = await requireOwnEnrollment(tx, id, studentId);
  const concept = await findMastery(tx, { studentId, curriculumId: enrollment.curriculum_id, conceptId });
  if (concept === undefined) throw new Error('A progress report refers to a concept without a stored row');
  const progress = await readCurriculumProgress(tx, id);
  return { applied: false, conceptId, concept, enrollment, progress, streakDays: currentStreak(streak, await todayAndYesterday(tx, tx.now)), granted: [] };
}

/** Adds the minutes to today's total, extends the streak if the daily target is now met, and returns the streak. */
async function addToToday(tx: Transaction, enrollment: EnrollmentRow, streak: Streak, minutes: number, days: Days): Promise<Streak> {
  const added = { enrollmentId: enrollment.id, day: days.today, minutes, target_minutes: enrollment.daily_target_minutes };
  const day = await addMinutes(tx, enrollment.student_id, added, maxMinutesPerDay);
  if (day.minutes < day.target_minutes) return streak;
  const after = withToday(streak, days);
  if (after !== streak) await writeStreak(tx, enrollment.student_id, after);
  return after;
}

/** Completes an active enrollment if all its concepts are mastered. */
async function completeIfDone(tx: Transaction, enrollment: EnrollmentRow, { concepts, mastered }: CurriculumProgress): Promise<EnrollmentRow> {
  const isDone = mastered === concepts && enrollmentTransitions[enrollment.status].includes('completed');
  return isDone ? writeEnrollmentStatus(tx, enrollment.id, 'completed', tx.now) : enrollment;
}

/**
 * Records a student's progress in a concept, once per ref (platform API, POST /app/alpha/progress): the best score counts,
 * minutes add up per day, and mastery, streak, completion and badges are updated in the same transaction. A repeated ref
 * returns the student's current state. `not_found` for the enrollment; `conflict` for another report under the same ref,
 * for a paused or withdrawn enrollment, and above 1,000 reports of the student per day; `validation_error` for a concept
 * that is not in the curriculum.
 */
export async function recordProgress(tx: Transaction, studentId: string, report: ProgressReport): Promise<ProgressOutcome> {
  const alphaStudent = await lockAlphaStudent(tx, studentId);
  const earlier = await findProgressByRef(tx, studentId, report.ref);
  if (earlier !== undefined && !isSame(earlier, report)) {
    throw new DomainError('conflict', 'ref is already used by another progress report; repeat it with the same enrollment_id, concept_id, score and minutes, or use a new ref.');
  }
  if (earlier !== undefined) return repeatedOutcome(tx, studentId, alphaStudent, report);
  const enrollment = await requireOwnEnrollment(tx, report.enrollment_id, studentId);
  requireLearning(enrollment);
  const { concept_id: conceptId, score, minutes } = report;
  const curriculumId = enrollment.curriculum_id;
  if (!(await hasConcept(tx, curriculumId, conceptId))) throw validationError({ path: 'concept_id', message: `concept_id names no concept of the curriculum; GET /v1/alpha/curricula/${curriculumId} has them` });
  const days = await todayAndYesterday(tx, tx.now);
  await requireDailyCapacity(tx, studentId, days.today);
  await insertProgress(tx, studentId, { ...report, day: days.today }, tx.now);
  const concept = await raiseMastery(tx, { studentId, curriculumId, conceptId }, masteryForScore(score, tx.now), tx.now);
  const streak = await addToToday(tx, enrollment, alphaStudent, minutes, days);
  const progress = await readCurriculumProgress(tx, enrollment.id);
  const after = await completeIfDone(tx, enrollment, progress);
  const streakDays = currentStreak(streak, days);
  const granted = await grantBadges(tx, studentId, { mastered: progress.mastered, streakDays, completed: after.status === 'completed' });
  return { applied: true, conceptId, concept, enrollment: after, progress, streakDays, granted };
}
