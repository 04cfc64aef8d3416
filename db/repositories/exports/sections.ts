import { readByCursor } from '../../cursor';
import type { Database, InstitutionScope } from '../../database';

/*
 * What an export has of a student, as objects of JSON. These statements are not prepared by name: they run when somebody asks
 * for an export, and each deserves a plan of its own.
 */

/** Returns the statement of the records of a student; $1 is the institution, $2 the student. */
const records = (columns: string, from: string, order: string): string => `SELECT to_jsonb(r) AS record FROM (SELECT ${columns} FROM ${from} ORDER BY ${order}) r`;

const byStudent = (table: string): string => `${table} t WHERE t.institution_id = $1 AND t.student_id = $2`;
const byUser = (table: string): string => `${table} t WHERE t.institution_id = $1 AND t.user_id = $2`;

const statements = {
  student: records(
    't.id, e.login_email, t.full_name, t.external_id AS student_id, t.status, t.personal_email_hmac IS NOT NULL AS personal_email_mapped, t.profile, t.first_signed_in_at, t.created_at, t.updated_at',
    'users t LEFT JOIN institution_emails e ON e.institution_id = t.institution_id AND e.user_id = t.id WHERE t.institution_id = $1 AND t.id = $2', 't.id',
  ),
  licenses: records('t.id, t.license_type, t.status, t.expires_at, t.revoked_at, t.revoke_reason, t.created_at', byUser('licenses'), 't.created_at, t.id'),
  groups: records('g.id, g.name, g.description', 'group_members t JOIN groups g ON g.id = t.group_id WHERE t.institution_id = $1 AND t.user_id = $2', 'g.id'),
  guardians: records('t.id, t.guardian_type, t.guardian_name, t.is_primary, t.verified_at, t.created_at', byStudent('guardian_links'), 't.created_at, t.id'),
  attempts: records(
    't.id, t.exam_id, x.title AS exam_title, t.status, t.started_at, t.ended_at, t.event_count, t.focus_losses, t.seconds_away, t.recorder_errors',
    'attempts t JOIN exams x ON x.id = t.exam_id WHERE t.institution_id = $1 AND t.student_id = $2', 't.started_at, t.id',
  ),
  submissions: records(
    't.id, t.exam_id, t.attempt_id, t.version, t.status, t.is_late, t.submitted_at, t.text, t.ai_usage_data, t.score, t.max_score, t.percentage, t.feedback, t.graded_at, t.void_reason, t.voided_at',
    byStudent('submissions'), 't.submitted_at, t.id',
  ),
  merit_moves: records('t.id, t.kind, t.amount_cents, t.wallet_cents, t.reason, t.created_at', byUser('merit_moves'), 't.created_at, t.id'),
  alpha_enrollments: records('t.id, t.curriculum_id, t.status, t.daily_target_minutes, t.created_at, t.completed_at', byStudent('alpha_enrollments'), 't.created_at, t.id'),
  alpha_mastery: records('t.curriculum_id, t.concept_id, t.score, t.mastered_at, t.updated_at', byStudent('alpha_mastery'), 't.curriculum_id, t.concept_id'),
  alpha_days: records('t.day, t.minutes, t.target_minutes', byStudent('alpha_days'), 't.day'),
  alpha_points: records('t.id, t.points, t.balance, t.note, t.created_at', byStudent('alpha_points'), 't.number'),
  alpha_badges: records('t.badge, t.granted_at', byStudent('alpha_badges'), 't.granted_at, t.badge'),
  weekly_reports: records('t.week, t.minutes, t.days_met, t.points, t.concepts_mastered, t.streak_days, t.badges', byStudent('weekly_reports'), 't.week'),
  devices: records('t.id, t.app, t.device_name, t.platform, t.app_version, t.status, t.signed_in_at, t.last_seen_at, t.ended_at', byUser('seats'), 't.created_at, t.id'),
  sessions: records('t.kind, t.created_at, t.expires_at, t.ended_at', byUser('sessions'), 't.created_at, t.id'),
  sign_ins: records('t.id, t.at, t.client_address, t.result, t.tries', byUser('sign_ins'), 't.at, t.id'),
  disclosures: records('t.id, t.at, t.actor_kind, t.actor_id, t.what, t.operation', 'disclosures t WHERE t.institution_id = $1 AND t.subject_id = $2', 't.at, t.id'),
};

/** A part of an export. */
export type SectionName = keyof typeof statements;

/** The parts of an export, in their order. */
export const sectionNames = Object.keys(statements) as SectionName[];

/** The records of a part of a student's export, some at a time: there may be millions of sign-ins and reads. */
export async function* readSection(database: Pick<Database, 'pool' | 'tenantRole'>, institutionId: string, name: SectionName, studentId: string): AsyncGenerator<object[]> {
  for await (const rows of readByCursor<{ record: object }>(database, statements[name], [institutionId, studentId], institutionId)) yield rows.map(({ record }) => record);
}

const attemptIds = 'SELECT id FROM attempts WHERE institution_id = $1 AND student_id = $2 ORDER BY started_at, id';

/** The ids of a student's attempts. */
export async function listAttemptIds(scope: InstitutionScope, studentId: string): Promise<string[]> {
  return (await scope.sql<{ id: string }>(attemptIds, [scope.institutionId, studentId])).map(({ id }) => id);
}

const events = records('t.type, t.at, t.detail', 'attempt_events t WHERE t.institution_id = $1 AND t.attempt_id = $2', 't.at, t.id');

/** What happened in an attempt, in its order: 20,000 events at most. */
export async function readAttemptEvents(scope: InstitutionScope, attemptId: string): Promise<object[]> {
  return (await scope.sql<{ record: object }>(events, [scope.institutionId, attemptId])).map(({ record }) => record);
}
