import type { InstitutionScope } from '../../database';
import { takePage, type Page, type PageOf, type Position } from '../../page';
import type { Badge } from '../alpha/badges';

/** The week of reports: its Monday, its start, and the start of the next week. */
export interface ReportedWeek {
  monday: string;
  startsAt: Date;
  endsAt: Date;
}

/** A student's activity in a week, and their totals at its end. */
export interface ReportNumbers {
  minutes: number;
  /** Days on which the daily target of an enrollment was met. */
  days_met: number;
  points: number;
  points_balance: number;
  concepts_mastered: number;
  streak_days: number;
  badges: Badge[];
}

// Not prepared, like all weekly statements: each run needs a plan for the current table.
const toReport =
  `SELECT u.id FROM users u
    WHERE u.institution_id = $1 AND u.id > $2 AND u.kind = 'student' AND u.status <> 'suspended'
      AND EXISTS (SELECT 1 FROM guardian_links l WHERE l.student_id = u.id AND l.institution_id = $1 AND l.verified_at IS NOT NULL)
      AND (EXISTS (SELECT 1 FROM alpha_enrollments e
                    WHERE e.student_id = u.id AND e.institution_id = $1 AND e.status <> 'withdrawn' AND e.created_at < $4)
           OR EXISTS (SELECT 1 FROM alpha_days d WHERE d.student_id = u.id AND d.institution_id = $1 AND d.day BETWEEN $3::date AND $3::date + 6))
    ORDER BY u.id LIMIT $5`;

/**
 * The next students with a report of this week, by id from after `afterId` ('' for the first): not suspended, with a
 * verified guardian, and enrolled by the week's end or active in it.
 */
export async function listStudentsToReport(scope: InstitutionScope, { monday, endsAt }: ReportedWeek, afterId: string, limit: number): Promise<string[]> {
  const rows = await scope.sql<{ id: string }>(toReport, [scope.institutionId, afterId, monday, endsAt, limit]);
  return rows.map(({ id }) => id);
}

/**
 * The moment at which an institution's reports are written, or links to guardians verified, in SQL of `now` and the institution:
 * later than all those before it, so that a caller who asks for items since the newest misses none. Only under the institution's lock.
 */
export const nextItemAt = (now: string, institution: string): string =>
  `greatest(${now}::timestamptz, (SELECT max(created_at) + interval '1 millisecond' FROM weekly_reports WHERE institution_id = ${institution}),
            (SELECT max(verified_at) + interval '1 millisecond' FROM guardian_links WHERE institution_id = ${institution} AND verified_at IS NOT NULL))`;

// A streak at the week's end is the sequence of met days that ends on its Sunday; it is at most the stored longest streak.
const write =
  `INSERT INTO weekly_reports (id, institution_id, student_id, week, minutes, days_met, points, points_balance, concepts_mastered, streak_days, badges, created_at)
   SELECT c.id, $1, c.student_id, $2::date, days.minutes, days.met, ledger.points, ledger.balance, mastery.concepts, streak.days, granted.badges,
          ${nextItemAt('$5', '$1')}
     FROM unnest($6::text[], $7::text[]) AS c (id, student_id)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(d.minutes), 0)::int AS minutes, (count(DISTINCT d.day) FILTER (WHERE d.minutes >= d.target_minutes))::int AS met
        FROM alpha_days d WHERE d.student_id = c.student_id AND d.institution_id = $1 AND d.day BETWEEN $2::date AND $2::date + 6) days
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(p.points), 0)::int AS points,
             coalesce((SELECT last.balance FROM alpha_points last WHERE last.student_id = c.student_id AND last.institution_id = $1 AND last.created_at < $4
                        ORDER BY last.number DESC LIMIT 1), 0) AS balance
        FROM alpha_points p WHERE p.student_id = c.student_id AND p.institution_id = $1 AND p.created_at >= $3 AND p.created_at < $4) ledger
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS concepts
        FROM alpha_mastery m WHERE m.student_id = c.student_id AND m.institution_id = $1 AND m.mastered_at >= $3 AND m.mastered_at < $4) mastery
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(b.badge ORDER BY b.granted_at, b.badge), '{}') AS badges
        FROM alpha_badges b WHERE b.student_id = c.student_id AND b.institution_id = $1 AND b.granted_at >= $3 AND b.granted_at < $4) granted
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS days
        FROM (SELECT met.day, row_number() OVER (ORDER BY met.day DESC)::int AS nth
                FROM (SELECT DISTINCT d.day
                        FROM alpha_days d
                       WHERE d.student_id = c.student_id AND d.institution_id = $1 AND d.minutes >= d.target_minutes AND d.day <= $2::date + 6
                         AND d.day > $2::date + 6 - (SELECT s.longest_streak_days FROM alpha_students s WHERE s.student_id = c.student_id)) met) numbered
       WHERE numbered.day = $2::date + 7 - numbered.nth) streak
   ON CONFLICT (student_id, week) DO NOTHING
   RETURNING 1`;

/** Inserts the missing reports of these students, computed from their activity in the week; returns the number. */
export async function writeReports(
  scope: InstitutionScope,
  { monday, startsAt, endsAt }: ReportedWeek,
  reports: readonly { id: string; studentId: string }[],
  now: Date,
): Promise<number> {
  const values = [scope.institutionId, monday, startsAt, endsAt, now, reports.map(({ id }) => id), reports.map(({ studentId }) => studentId)];
  return (await scope.sql(write, values)).length;
}

/** A report of a guardian's link. */
export interface ReportRow extends ReportNumbers {
  id: string;
  guardian_id: string;
  student_id: string;
  student_email: string;
  /** The week's Monday and Sunday, as calendar days. */
  week_start: string;
  week_end: string;
  time_zone: string;
  /** When its email was sent; null if none was, or long ago. */
  sent_at: Date | null;
  /** When this item was created: the report written and the link verified. */
  created_at: Date;
}

const numbers = 'r.minutes, r.days_met, r.points, r.points_balance, r.concepts_mastered, r.streak_days, r.badges';
const columns = `r.id, l.id AS guardian_id, r.student_id, e.login_email AS student_email, r.week::text AS week_start, (r.week + 6)::text AS week_end, i.time_zone, ${numbers},
  m.sent_at, p.item_at AS created_at`;

const newestFirst = 'ORDER BY item_at DESC, report_id DESC, link_id DESC';

// The reports of a student are counted by an index; student, link and reports have the same institution.
const countAll =
  `SELECT coalesce(sum(r.reports), 0)::int AS total
     FROM guardian_links l CROSS JOIN LATERAL (SELECT count(*) AS reports FROM weekly_reports w WHERE w.student_id = l.student_id) r
    WHERE l.institution_id = $1 AND l.verified_at IS NOT NULL`;

/** The rows of a student in another table, looked up for each: OFFSET 0 keeps the planner from reading all of them for each, which without statistics seems as short. */
const ofStudent = (table: string, student: string, condition: string): string =>
  `CROSS JOIN LATERAL (SELECT 1 FROM ${table} WHERE student_id = ${student} AND institution_id = $1 AND ${condition} OFFSET 0) of_student`;

// Reports written for a verified link, and links verified after their reports.
const countSince =
  `SELECT (SELECT count(*) FROM (SELECT student_id, created_at FROM weekly_reports WHERE institution_id = $1 AND created_at > $2::timestamptz OFFSET 0) r
             ${ofStudent('guardian_links', 'r.student_id', 'verified_at <= r.created_at')})::int
        + (SELECT count(*) FROM (SELECT student_id, verified_at FROM guardian_links WHERE institution_id = $1 AND verified_at > $2::timestamptz OFFSET 0) l
             ${ofStudent('weekly_reports', 'l.student_id', 'created_at < l.verified_at')})::int AS total`;

const pageOf = (found: string): string =>
  `WITH page AS (SELECT report_id AS id, link_id, item_at FROM ${found})
   SELECT ${columns}, ARRAY[p.item_at::text, p.id, p.link_id] AS list_position FROM page p JOIN weekly_reports r ON r.id = p.id JOIN guardian_links l ON l.id = p.link_id
     JOIN institutions i ON i.id = r.institution_id JOIN institution_emails e ON e.user_id = r.student_id
     LEFT JOIN weekly_report_letters m ON m.institution_id = r.institution_id AND m.week = r.week AND m.guardian_id = l.guardian_id
    ORDER BY p.item_at DESC, p.id DESC, p.link_id DESC`;

// SQL functions scan reports and links together, newest first, up to the end of the page, with any statistics of both.
const page = pageOf(`newest_report_items($1, $2, $3) ${newestFirst} LIMIT $3 - $4 OFFSET $4`);
const pageAfter = pageOf('report_items_after($1, $2, $3, $4, $5, $6)');

/** The position before the first item. */
const start: Position = ['infinity', '', ''];

/** The filters of lists of reports; undefined ones do not restrict. */
export interface ReportFilter {
  /** Exclusive, of `created_at`. */
  since?: Date | undefined;
}

/** One page of the institution's reports, newest first, one for each verified link of the student. */
export async function listReports({ institutionId, sql }: InstitutionScope, { since }: ReportFilter, { page: number, limit, cursor }: Page): Promise<PageOf<ReportRow>> {
  const newerThan = since ?? '-infinity';
  if (cursor?.after !== undefined) {
    return { ...takePage(await sql<ReportRow>(pageAfter, [institutionId, newerThan, ...(cursor.after ?? start), limit + 1]), limit), total: null };
  }
  const [counted] = await (since === undefined ? sql<{ total: number }>(countAll, [institutionId]) : sql<{ total: number }>(countSince, [institutionId, since]));
  const total = counted?.total ?? 0;
  const offset = (number - 1) * limit;
  if (offset >= total) return { rows: [], total, next: null };
  return { ...takePage(await sql<ReportRow>(page, [institutionId, newerThan, offset + limit + 1, offset]), limit), total };
}
