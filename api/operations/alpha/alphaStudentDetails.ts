import type { InstitutionScope } from '../../../db/database';
import { listBadges } from '../../../db/repositories/alpha/badges';
import { listDays, listEnrollmentProgress } from '../../../db/repositories/alpha/drillDown';
import { dateOfPoints, listPoints } from '../../../db/repositories/alpha/points';
import { findStanding } from '../../../db/repositories/alpha/students';
import type { Page } from '../../../db/page';
import { currentStreak } from '../../../domain/alpha/streak';
import { lastDaysOf } from '../../../domain/alpha/today';
import { requireStudent } from '../../../domain/students/requireStudent';
import { presentPage } from '../../http/request/fields';
import { presentPoints, presentStats } from './points.presenter';
import { presentBadge, presentDays, presentEnrollmentProgress } from './alphaStudents.presenter';
import { shown } from './alphaStudents.schemas';

/** Everything of a student in Alpha Learning at one look; bounded, however long they have been at it. */
export async function answerDrillDown(reads: InstitutionScope, idOrEmail: string, now: Date): Promise<object> {
  const { id, login_email, full_name, status } = await requireStudent(reads, idOrEmail);
  const days = await lastDaysOf(reads, now, shown.days);
  const [today = '', yesterday = ''] = days;
  const standing = await findStanding(reads, id);
  return {
    student: { id, login_email, full_name, status },
    points: presentStats(standing, await dateOfPoints(reads, id, standing.last_number)),
    streak: { current: currentStreak(standing, { yesterday }), longest: standing.longest_streak_days, met_today: standing.last_met_day !== null && standing.last_met_day >= today },
    badges: (await listBadges(reads, id)).map(presentBadge),
    enrollments: (await listEnrollmentProgress(reads, id, today, shown.enrollments)).map(presentEnrollmentProgress),
    days: presentDays(days, await listDays(reads, id, days)),
  };
}

/** The counters of a student's points and one page of their ledger. */
export async function answerPoints(reads: InstitutionScope, idOrEmail: string, page: Page): Promise<object> {
  const { id } = await requireStudent(reads, idOrEmail);
  const standing = await findStanding(reads, id);
  const ledger = await listPoints(reads, id, standing.last_number ?? 0, page);
  return {
    student_id: id,
    stats: presentStats(standing, await dateOfPoints(reads, id, standing.last_number)),
    ledger: presentPage(ledger, page, presentPoints),
  };
}
