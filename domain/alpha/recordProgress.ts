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

/** Minutes that one call may tell, and that a day of an enrollment has at most; what goes beyond is not counted. */
export const maxMinutesPerDay = 1_440;

/** So many tellings of one student are taken in a day of the institution's time zone. */
export const maxProgressReportsPerDay = 1_000;

/** What an app tells of a student's work: the score from 0 to 100, and the minutes it took. */
export type ProgressReport = Omit<ProgressRow, 'day'>;

/** Where the student stands after it. */
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

/** One more telling today; `conflict` beyond {@link maxProgressReportsPerDay}, with the moment from which on more are taken. */
async function requireDailyCapacity(tx: Transaction, studentId: string, today: string): Promise<void> {
  if (!(await hasProgressReportsOnDay(tx, studentId, today, maxProgressReportsPerDay))) return;
  const from = (await endOfToday(tx, tx.now)).toISOString();
  throw new DomainError('conflict', `Progress of this student has been told ${maxProgressReportsPerDay.toLocaleString('en')} times today, the most that a day takes: tell the rest from ${from} on.`);
}

/** Answers a repeat: where the student stands by now. */
async function repeatedOutcome(tx: Transaction, studentId: string, streak: Streak, { concept_id: conceptId, enrollment_id: id }: ProgressReport): Promise<ProgressOutcome> {
  const enrollment = await requireOwnEnrollment(tx, id, studentId);
  const concept = await findMastery(tx, { studentId, curriculumId: enrollment.curriculum_id, conceptId });
  if (concept === undefined) throw new Error('There is progress in a concept of which nothing is kept');
  const progress = await readCurriculumProgress(tx, id);
  return { applied: false, conceptId, concept, enrollment, progress, streakDays: currentStreak(streak, await todayAndYesterday(tx, tx.now)), granted: [] };
}

/** Adds the minutes to today, and today to the streak where its target is met by now; answers the streak. */
async function addToToday(tx: Transaction, enrollment: EnrollmentRow, streak: Streak, minutes: number, days: Days): Promise<Streak> {
  const added = { enrollmentId: enrollment.id, day: days.today, minutes, target_minutes: enrollment.daily_target_minutes };
  const day = await addMinutes(tx, enrollment.student_id, added, maxMinutesPerDay);
  if (day.minutes < day.target_minutes) return streak;
  const after = withToday(streak, days);
  if (after !== streak) await writeStreak(tx, enrollment.student_id, after);
  return after;
}

/** Completes an active enrollment whose concepts are all mastered. */
async function completeIfDone(tx: Transaction, enrollment: EnrollmentRow, { concepts, mastered }: CurriculumProgress): Promise<EnrollmentRow> {
  const isDone = mastered === concepts && enrollmentTransitions[enrollment.status].includes('completed');
  return isDone ? writeEnrollmentStatus(tx, enrollment.id, 'completed', tx.now) : enrollment;
}

/**
 * Takes a student's progress in a concept, once a ref of theirs (platform API, POST /app/alpha/progress): the best score
 * counts, minutes add up to the day, and mastery, streak, completion and badges follow in the same transaction. A repeat
 * answers where the student stands. `not_found` for the enrollment; `conflict` for another progress under the same ref,
 * for an enrollment that is paused or withdrawn, and once a day has 1,000 of the student; `validation_error` for a concept
 * that its curriculum has not.
 */
export async function recordProgress(tx: Transaction, studentId: string, report: ProgressReport): Promise<ProgressOutcome> {
  const alphaStudent = await lockAlphaStudent(tx, studentId);
  const earlier = await findProgressByRef(tx, studentId, report.ref);
  if (earlier !== undefined && !isSame(earlier, report)) {
    throw new DomainError('conflict', 'This ref was used by other progress: a repeat has the same enrollment_id, concept_id, score and minutes.');
  }
  if (earlier !== undefined) return repeatedOutcome(tx, studentId, alphaStudent, report);
  const enrollment = await requireOwnEnrollment(tx, report.enrollment_id, studentId);
  requireLearning(enrollment);
  const { concept_id: conceptId, score, minutes } = report;
  const curriculumId = enrollment.curriculum_id;
  if (!(await hasConcept(tx, curriculumId, conceptId))) throw validationError({ path: 'concept_id', message: 'names no concept of the curriculum' });
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
