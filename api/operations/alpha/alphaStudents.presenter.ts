import type { BadgeRow } from '../../../db/repositories/alpha/badges';
import type { DaySummaryRow, EnrollmentProgressRow } from '../../../db/repositories/alpha/drillDown';
import type { ConceptStateRow } from '../../../db/repositories/alpha/mastery';
import type { LeaderRow } from '../../../db/repositories/alpha/students';
import { conceptStatus } from '../../../domain/alpha/mastery';
import type { AlphaStudent } from '../../../domain/alpha/readAlphaStudent';
import { currentStreak, type Days } from '../../../domain/alpha/streak';
import { isoOrNull } from '../../http/request/fields';
import { presentEnrollment } from './enrollments.presenter';
import { presentStats } from './points.presenter';
import type { AlphaStudentResponse, BadgeResponse, EnrollmentProgressResponse, ConceptMasteryResponse, LeaderResponse } from './alphaStudents.schemas';

/** A badge that a student has. */
const presentBadge = ({ badge, granted_at }: BadgeRow): BadgeResponse => ({ badge, granted_at: granted_at.toISOString() });

/** An enrollment with how far its student is. */
function presentEnrollmentProgress(row: EnrollmentProgressRow): EnrollmentProgressResponse {
  const { curriculum_title, concepts, mastered, minutes_today, daily_target_minutes: target_minutes } = row;
  return { ...presentEnrollment(row), curriculum_title, progress: { concepts, mastered, minutes_today, target_minutes } };
}

/** Every one of these days, in their order, those on which nothing was done too. */
function presentDays(days: readonly string[], rows: readonly DaySummaryRow[]): AlphaStudentResponse['days'] {
  const rowsByDay = new Map(rows.map((row) => [row.day, row]));
  return days.map((day) => ({ day, minutes: rowsByDay.get(day)?.minutes ?? 0, met: rowsByDay.get(day)?.met ?? false }));
}

/** A student's Alpha Learning data in one response. */
export function presentAlphaStudent(read: AlphaStudent): AlphaStudentResponse {
  const { student: { id, login_email, full_name, status }, standing, days } = read;
  const [today = '', yesterday = ''] = days;
  return {
    student: { id, login_email, full_name, status },
    points: presentStats(read),
    streak: { current: currentStreak(standing, { yesterday }), longest: standing.longest_streak_days, met_today: standing.last_met_day !== null && standing.last_met_day >= today },
    badges: read.badges.map(presentBadge),
    enrollments: read.enrollments.map(presentEnrollmentProgress),
    days: presentDays(days, read.daySummaries),
  };
}

/** A concept and how far a student is with it. */
export function presentConceptState(row: ConceptStateRow): ConceptMasteryResponse {
  const { curriculum_id, curriculum_title, concept_id, title, requires, score, mastered_at, updated_at } = row;
  return {
    curriculum_id,
    curriculum_title,
    concept_id,
    title,
    requires,
    score,
    status: conceptStatus(row),
    mastered_at: isoOrNull(mastered_at),
    updated_at: isoOrNull(updated_at),
  };
}

/** A student on the leaderboard, their streak as of today. */
export function presentLeader(row: LeaderRow & { rank: number }, days: Days): LeaderResponse {
  const { rank, student_id, login_email: email, full_name, points } = row;
  return { rank, student_id, email, full_name, points, streak_days: currentStreak(row, days) };
}
