import type { InstitutionScope } from '../../../db/database';
import { listBadges } from '../../../db/repositories/alpha/badges';
import { listDays, listEnrollmentProgress } from '../../../db/repositories/alpha/drillDown';
import { findPointsCreatedAt, listPoints } from '../../../db/repositories/alpha/points';
import { findAlphaStudent } from '../../../db/repositories/alpha/students';
import { currentStreak } from '../../../domain/alpha/streak';
import { lastInstitutionDays } from '../../../domain/alpha/today';
import { requireStudent } from '../../../domain/students/requireStudent';
import { presentPage, type Paging } from '../../http/request/fields';
import { presentPoints, presentStats } from './points.presenter';
import { presentBadge, presentDays, presentEnrollmentProgress } from './alphaStudents.presenter';
import { drillDownLimits, type AlphaStudentResponse } from './alphaStudents.schemas';
import type { StudentPointsResponse } from './points.schemas';

/** Returns a student's Alpha Learning data in one response, of bounded size regardless of the length of their history. */
export async function presentDrillDown(reads: InstitutionScope, idOrEmail: string, now: Date): Promise<AlphaStudentResponse> {
  const { id, login_email, full_name, status } = await requireStudent(reads, idOrEmail);
  const days = await lastInstitutionDays(reads, now, drillDownLimits.days);
  const [today = '', yesterday = ''] = days;
  const alphaStudent = await findAlphaStudent(reads, id);
  return {
    student: { id, login_email, full_name, status },
    points: presentStats(alphaStudent, await findPointsCreatedAt(reads, id, alphaStudent.last_number)),
    streak: { current: currentStreak(alphaStudent, { yesterday }), longest: alphaStudent.longest_streak_days, met_today: alphaStudent.last_met_day !== null && alphaStudent.last_met_day >= today },
    badges: (await listBadges(reads, id)).map(presentBadge),
    enrollments: (await listEnrollmentProgress(reads, id, today, drillDownLimits.enrollments)).map(presentEnrollmentProgress),
    days: presentDays(days, await listDays(reads, id, days)),
  };
}

/** Returns the counters of a student's points and one page of their ledger. */
export async function presentStudentPoints(reads: InstitutionScope, idOrEmail: string, page: Paging): Promise<StudentPointsResponse> {
  const { id } = await requireStudent(reads, idOrEmail);
  const alphaStudent = await findAlphaStudent(reads, id);
  const ledger = await listPoints(reads, id, alphaStudent.last_number ?? 0, page);
  return {
    student_id: id,
    stats: presentStats(alphaStudent, await findPointsCreatedAt(reads, id, alphaStudent.last_number)),
    ledger: presentPage(ledger, page, presentPoints),
  };
}
