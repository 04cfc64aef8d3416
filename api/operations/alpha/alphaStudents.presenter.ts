import type { BadgeRow } from '../../../db/repositories/alpha/badges';
import type { DaySummaryRow, EnrollmentProgressRow } from '../../../db/repositories/alpha/drillDown';
import type { ConceptStateRow } from '../../../db/repositories/alpha/mastery';
import type { LeaderRow } from '../../../db/repositories/alpha/students';
import { conceptStatus } from '../../../domain/alpha/mastery';
import { currentStreak, type Days } from '../../../domain/alpha/streak';
import { isoOrNull } from '../../http/request/fields';
import { presentEnrollment } from './enrollments.presenter';
import type { AlphaStudentResponse, BadgeResponse, EnrollmentProgressResponse, ConceptMasteryResponse, LeaderResponse } from './alphaStudents.schemas';

/** A badge that a student has. */
export const presentBadge = ({ badge, granted_at }: BadgeRow): BadgeResponse => ({ badge, granted_at: granted_at.toISOString() });

/** An enrollment with its student's progress. */
export function presentEnrollmentProgress(row: EnrollmentProgressRow): EnrollmentProgressResponse {
  const { curriculum_title, concepts, mastered, minutes_today, daily_target_minutes: target_minutes } = row;
  return { ...presentEnrollment(row), curriculum_title, progress: { concepts, mastered, minutes_today, target_minutes } };
}

/** All of these days in order, including those without activity. */
export function presentDays(days: readonly string[], rows: readonly DaySummaryRow[]): AlphaStudentResponse['days'] {
  const rowsByDay = new Map(rows.map((row) => [row.day, row]));
  return days.map((day) => ({ day, minutes: rowsByDay.get(day)?.minutes ?? 0, met: rowsByDay.get(day)?.met ?? false }));
}

/** A concept with a student's progress. */
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
