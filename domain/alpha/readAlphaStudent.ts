import type { InstitutionScope } from '../../db/database';
import type { Page, PageOf } from '../../db/page';
import { listBadges, type BadgeRow } from '../../db/repositories/alpha/badges';
import { listDays, listEnrollmentProgress, type DaySummaryRow, type EnrollmentProgressRow } from '../../db/repositories/alpha/drillDown';
import { findPointsCreatedAt, listPoints, type PointsRow } from '../../db/repositories/alpha/points';
import { findAlphaStudent, type AlphaStudentRow } from '../../db/repositories/alpha/students';
import type { StudentRow } from '../../db/repositories/students/students';
import { requireStudent } from '../students/requireStudent';
import { lastInstitutionDays } from './today';

/** How many enrollments and days the drill-down has. */
export const drillDownLimits = { enrollments: 50, days: 14 };

/** The counters of a student's points and streak, and when the last points were awarded. */
export interface AlphaStanding {
  standing: AlphaStudentRow;
  lastAwardedAt: Date | null;
}

/** A student's Alpha Learning data. */
export interface AlphaStudent extends AlphaStanding {
  student: StudentRow;
  badges: readonly BadgeRow[];
  enrollments: readonly EnrollmentProgressRow[];
  /** The last days of the institution, today first. */
  days: readonly string[];
  daySummaries: readonly DaySummaryRow[];
}

/** Returns a student's Alpha Learning data, of bounded size regardless of the length of their history; `not_found`. */
export async function readAlphaStudent(scope: InstitutionScope, idOrEmail: string, now: Date): Promise<AlphaStudent> {
  const student = await requireStudent(scope, idOrEmail);
  const days = await lastInstitutionDays(scope, now, drillDownLimits.days);
  const [today = ''] = days;
  return {
    student,
    ...(await readStanding(scope, student.id)),
    badges: await listBadges(scope, student.id),
    enrollments: await listEnrollmentProgress(scope, student.id, today, drillDownLimits.enrollments),
    days,
    daySummaries: await listDays(scope, student.id, days),
  };
}

/** The counters of a student's points, and one page of their ledger. */
export interface StudentPoints extends AlphaStanding {
  studentId: string;
  ledger: PageOf<PointsRow>;
}

/** Returns the counters of a student's points and one page of their ledger; `not_found`. */
export async function readStudentPoints(scope: InstitutionScope, idOrEmail: string, page: Page): Promise<StudentPoints> {
  const { id } = await requireStudent(scope, idOrEmail);
  const read = await readStanding(scope, id);
  return { studentId: id, ...read, ledger: await listPoints(scope, id, read.standing.last_number ?? 0, page) };
}

async function readStanding(scope: InstitutionScope, studentId: string): Promise<AlphaStanding> {
  const standing = await findAlphaStudent(scope, studentId);
  return { standing, lastAwardedAt: await findPointsCreatedAt(scope, studentId, standing.last_number) };
}
