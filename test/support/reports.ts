import { sealEmail } from '../../domain/people/personalEmail';
import { newId } from '../../domain/ids';
import { lastWholeWeek } from '../../domain/reports/week';
import { writeWeeklyReports, type ReportStep } from '../../domain/reports/writeWeeklyReports';
import { transact } from '../../domain/transact';
import { systemCaller, type TestApi, type TestInstitution } from './api';
import { registerSecret } from './leaks';

/** A Monday on which the reports of the week of 9 November 2026 are made. */
export const reportTime = new Date('2026-11-16T12:10:00Z');
/** The week whose reports are made then, in every zone. */
export const reportWeek = lastWholeWeek('UTC', reportTime).monday;

/** Enrolls students in a curriculum of the institution's own, long ago; one statement for any number. */
export async function seedEnrollments({ api }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, studentIds: readonly string[], status = 'active'): Promise<void> {
  const curriculumId = newId('cur');
  await api.domain.database.sql(
    `WITH curriculum AS (
       INSERT INTO curricula (id, institution_id, title, status, created_at, published_at) VALUES ($2, $1, 'Fractions', 'published', '2020-01-01', '2020-01-01')
     )
     INSERT INTO alpha_enrollments (id, institution_id, curriculum_id, student_id, status, daily_target_minutes, created_at, updated_at)
     SELECT 'enr_' || s, $1, $2, s, $4, 30, '2020-01-01', '2020-01-01' FROM unnest($3::text[]) s`,
    [institutionId, curriculumId, studentIds, status],
  );
}

/** Minutes of a day of students that {@link seedEnrollments} enrolled: the nth learned so many plus n. */
export async function seedLearningDay({ api }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, studentIds: readonly string[], day: string, minutes: number): Promise<void> {
  await api.domain.database.sql(
    `INSERT INTO alpha_days (enrollment_id, day, student_id, institution_id, minutes, target_minutes)
     SELECT 'enr_' || s, $3, s, $1, $4::integer + nth - 1, 30 FROM unnest($2::text[]) WITH ORDINALITY AS s (s, nth)`,
    [institutionId, studentIds, day, minutes],
  );
}

/** A verified guardian for each student, whose mailbox is named after the student's id; one statement for any number. */
export async function seedGuardians({ api }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, studentIds: readonly string[]): Promise<void> {
  const mailboxes = studentIds.map((id) => sealEmail(api.domain.secrets, `${id}@mail.example`));
  for (const id of studentIds) registerSecret(`${id}@mail.example`);
  await api.domain.database.sql(
    `WITH given AS (
       SELECT * FROM unnest($2::text[], $3::text[], $4::bytea[]) AS g (student_id, sealed, fingerprint)
     ), people AS (
       INSERT INTO users (id, institution_id, kind, status, personal_email_sealed, personal_email_hmac, created_at, updated_at)
       SELECT 'usr_' || student_id, $1, 'guardian', 'active', sealed, fingerprint, now(), now() FROM given
     )
     INSERT INTO guardian_links (id, institution_id, student_id, guardian_id, guardian_type, is_primary, invited_at, expires_at, accepted_at, verified_at, created_at, updated_at)
     SELECT 'gdn_' || student_id, $1, student_id, 'usr_' || student_id, 'mother', false, now(), now(), now(), now(), now(), now() FROM given`,
    [institutionId, studentIds, mailboxes.map(({ sealed }) => sealed), mailboxes.map(({ fingerprint }) => fingerprint)],
  );
}

/** Writes a chunk of the reports of {@link reportWeek}, as the activity does. */
export const writeReportWeek = ({ api }: TestApi, { id }: Pick<TestInstitution, 'id'>, after: Parameters<typeof writeWeeklyReports>[2] = null): Promise<ReportStep> =>
  transact(api.domain, systemCaller(id), (tx) => writeWeeklyReports(tx, reportTime, after));

/** A letter's row. */
export interface ReportEmailRow {
  guardian_id: string;
  status: string;
  tries: number;
  sent_at: Date | null;
  error: string | null;
}

/** The letters of {@link reportWeek}, by their guardians. */
export const reportEmailsOf = ({ api }: TestApi, { id }: Pick<TestInstitution, 'id'>): Promise<ReportEmailRow[]> =>
  api.domain.database.sql<ReportEmailRow>(
    'SELECT guardian_id, status, tries, sent_at, error FROM weekly_report_letters WHERE institution_id = $1 AND week = $2 ORDER BY guardian_id',
    [id, reportWeek],
  );
