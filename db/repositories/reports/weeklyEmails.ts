import type { InstitutionScope } from '../../database';
import type { InstitutionStatus } from '../../entities/institution';
import { statement, type Sql } from '../../statement';
import { emailRows } from '../emails/emailRows';
import type { ReportNumbers } from './weekly';

/** The emails of one institution's week; a key is institution and Monday. */
export const reportEmails = emailRows({
  name: 'weekly_report_letter',
  emailTable: 'weekly_report_letters',
  recipientColumn: 'guardian_id',
  emailBatchColumns: ['week'],
  batchTable: 'weekly_report_runs',
  batchColumns: ['week'],
});

const withGuardians = statement(
  'institutions_with_guardians',
  `SELECT i.id FROM institutions i
    WHERE i.id > $1 AND EXISTS (SELECT 1 FROM guardian_links l WHERE l.institution_id = i.id AND l.verified_at IS NOT NULL)
    ORDER BY i.id LIMIT $2`,
);

/** Returns institutions with a verified guardian, by id after `afterId` ('' for the first). */
export async function institutionsWithGuardians(sql: Sql, afterId: string, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }>(withGuardians, [afterId, limit]);
  return rows.map(({ id }) => id);
}

const openRun = statement(
  'weekly_report_run_open',
  `INSERT INTO weekly_report_runs (institution_id, week, created_at) VALUES ($1, $2, $3) ON CONFLICT (institution_id, week) DO NOTHING`,
);
const gathered = statement('weekly_report_run_gathered', 'SELECT gathered_at IS NOT NULL AS gathered FROM weekly_report_runs WHERE institution_id = $1 AND week = $2');

/** Opens the run of a week if there is none; returns whether all its reports and emails are written. */
export async function openReportRun(scope: InstitutionScope, monday: string, now: Date): Promise<'gathered' | 'open'> {
  await scope.sql(openRun, [scope.institutionId, monday, now]);
  const [row] = await scope.sql<{ gathered: boolean }>(gathered, [scope.institutionId, monday]);
  return row?.gathered === true ? 'gathered' : 'open';
}

const gather =
  `WITH emails AS (
     INSERT INTO weekly_report_letters (institution_id, week, guardian_id, status)
     SELECT DISTINCT $1, $2::date, l.guardian_id, 'waiting'
       FROM guardian_links l JOIN weekly_reports r ON r.student_id = l.student_id AND r.institution_id = $1 AND r.week = $2::date
      WHERE l.institution_id = $1 AND l.verified_at IS NOT NULL
     RETURNING guardian_id
   ), counted AS (
     SELECT count(*)::int AS emails FROM emails
   )
   UPDATE weekly_report_runs r SET gathered_at = $3, ended_at = CASE counted.emails WHEN 0 THEN $3::timestamptz END
     FROM counted WHERE r.institution_id = $1 AND r.week = $2::date RETURNING counted.emails`;

/** Writes one email for each verified guardian of a week whose reports are all written. A week without any is over. Returns how many. */
export async function gatherReportEmails(scope: InstitutionScope, monday: string, now: Date): Promise<number> {
  const [row] = await scope.sql<{ emails: number }>(gather, [scope.institutionId, monday, now]);
  if (row === undefined) throw new Error('The run of the week is not open');
  return row.emails;
}

/** The students whose reports an email contains. */
export interface ReportingInstitution {
  name: string;
  status: InstitutionStatus;
  login_domain: string;
}

const institution = statement('weekly_report_institution', 'SELECT name, status, login_domain FROM institutions WHERE id = $1');

/** The present row of the institution of a week's emails. */
export async function readReportingInstitution({ institutionId, sql }: Pick<InstitutionScope, 'institutionId' | 'sql'>): Promise<ReportingInstitution> {
  const [row] = await sql<ReportingInstitution>(institution, [institutionId]);
  if (row === undefined) throw new Error('There is no such institution');
  return row;
}

/** A student's numbers as an email shows them. */
export interface StudentReport extends ReportNumbers {
  /** Full name, else login email. */
  name: string;
  login_email: string;
}

/** A claimed guardian as things stand now. */
export interface ClaimedGuardian {
  guardian_id: string;
  /** How often the mail server has put them off. */
  tries: number;
  mailbox_sealed: string | null;
  /** The reports of their students; null where they have none any more. */
  reports: StudentReport[] | null;
}

const currentRecipients =
  `SELECT c.guardian_id, c.tries, g.personal_email_sealed AS mailbox_sealed, students.reports
     FROM claimed c LEFT JOIN users g ON g.id = c.guardian_id CROSS JOIN LATERAL (
       SELECT jsonb_agg(jsonb_build_object(
                'name', coalesce(u.full_name, e.login_email), 'login_email', e.login_email, 'minutes', r.minutes, 'days_met', r.days_met, 'points', r.points, 'points_balance', r.points_balance,
                'concepts_mastered', r.concepts_mastered, 'streak_days', r.streak_days, 'badges', r.badges) ORDER BY coalesce(u.full_name, e.login_email), u.id) AS reports
         FROM guardian_links l JOIN users u ON u.id = l.student_id AND u.status <> 'suspended' JOIN institution_emails e ON e.user_id = u.id
         JOIN weekly_reports r ON r.student_id = u.id AND r.institution_id = $1 AND r.week = $2
        WHERE l.guardian_id = c.guardian_id AND l.institution_id = $1 AND l.verified_at IS NOT NULL) students`;

/** Claims the next due guardians, with the reports of the students that they are verified for now. */
export function claimGuardians(
  { institutionId, sql }: Pick<InstitutionScope, 'institutionId' | 'sql'>,
  monday: string,
  now: Date,
  limit: number,
): Promise<ClaimedGuardian[]> {
  return reportEmails.claim<ClaimedGuardian>(sql, [institutionId, monday], currentRecipients, now, limit);
}
