import { readByCursor } from '../../cursor';
import type { Database } from '../../database';
import type { WalkScope } from '../../walk';

/*
 * What an export has of a student, as objects of JSON. These statements are not prepared by name: they run when somebody asks
 * for an export, and each deserves a plan of its own.
 */

/**
 * Returns the statement of the records of a student; $1 is the institution, $2 the student. OFFSET 0 has them found by the student
 * alone, before anything is put in order: to statistics of another time, all rows of an institution, or those of all in the right
 * order, may seem to be as few.
 */
const records = (columns: string, table: string, student: string, order: string, joins = ''): string => recordsWhere(columns, table, `${student} = $2`, order, joins);

/** The same of a table whose index by student begins with the institution. */
const recordsInInstitution = (columns: string, table: string, student: string, order: string): string => recordsWhere(columns, table, `institution_id = $1 AND ${student} = $2`, order, '');

const recordsWhere = (columns: string, table: string, found: string, order: string, joins: string): string =>
  `SELECT to_jsonb(r) AS record FROM (SELECT ${columns} FROM (SELECT * FROM ${table} WHERE ${found} OFFSET 0) t ${joins} WHERE t.institution_id = $1 ORDER BY ${order}) r`;

const statements = {
  student: records(
    't.id, e.login_email, t.full_name, t.external_id AS student_id, t.status, t.personal_email_hmac IS NOT NULL AS personal_email_mapped, t.profile, t.first_signed_in_at, t.created_at, t.updated_at',
    'users', 'id', 't.id', 'LEFT JOIN LATERAL (SELECT institution_id, login_email FROM institution_emails WHERE user_id = t.id OFFSET 0) e ON e.institution_id = t.institution_id',
  ),
  licenses: records('t.id, t.license_type, t.status, t.expires_at, t.revoked_at, t.revoke_reason, t.created_at', 'licenses', 'user_id', 't.created_at, t.id'),
  groups: records('g.id, g.name, g.description', 'group_members', 'user_id', 't.group_id', 'JOIN groups g ON g.id = t.group_id'),
  guardians: records('t.id, t.guardian_type, t.guardian_name, t.is_primary, t.verified_at, t.created_at', 'guardian_links', 'student_id', 't.created_at, t.id'),
  attempts: records(
    't.id, t.exam_id, x.title AS exam_title, t.status, t.started_at, t.ended_at, t.event_count, t.focus_losses, t.seconds_away, t.recorder_errors',
    'attempts', 'student_id', 't.started_at, t.id', 'JOIN exams x ON x.id = t.exam_id',
  ),
  submissions: records(
    't.id, t.exam_id, t.attempt_id, t.version, t.status, t.is_late, t.submitted_at, t.text, t.ai_usage_data, t.score, t.max_score, t.percentage, t.feedback, t.graded_at, t.void_reason, t.voided_at',
    'submissions', 'student_id', 't.submitted_at, t.id',
  ),
  merit_moves: records('t.id, t.kind, t.amount_cents, t.wallet_cents, t.reason, t.created_at', 'merit_moves', 'user_id', 't.created_at, t.id'),
  alpha_enrollments: records('t.id, t.curriculum_id, t.status, t.daily_target_minutes, t.created_at, t.completed_at', 'alpha_enrollments', 'student_id', 't.created_at, t.id'),
  alpha_mastery: records('t.curriculum_id, t.concept_id, t.score, t.mastered_at, t.updated_at', 'alpha_mastery', 'student_id', 't.curriculum_id, t.concept_id'),
  alpha_days: records('t.day, t.minutes, t.target_minutes', 'alpha_days', 'student_id', 't.day'),
  alpha_points: records('t.id, t.points, t.balance, t.note, t.created_at', 'alpha_points', 'student_id', 't.number'),
  alpha_badges: records('t.badge, t.granted_at', 'alpha_badges', 'student_id', 't.granted_at, t.badge'),
  weekly_reports: records('t.week, t.minutes, t.days_met, t.points, t.concepts_mastered, t.streak_days, t.badges', 'weekly_reports', 'student_id', 't.week'),
  devices: records('t.id, t.app, t.device_name, t.platform, t.app_version, t.status, t.signed_in_at, t.last_seen_at, t.ended_at', 'seats', 'user_id', 't.created_at, t.id'),
  sessions: recordsInInstitution('t.kind, t.created_at, t.expires_at, t.ended_at', 'sessions', 'user_id', 't.created_at, t.id'),
  sign_ins: records('t.id, t.at, t.client_address, t.result, t.tries', 'sign_ins', 'user_id', 't.at, t.id'),
  disclosures: recordsInInstitution('t.id, t.at, t.actor_kind, t.actor_id, t.what, t.operation', 'disclosures', 'subject_id', 't.at, t.id'),
};

/** A part of an export. */
export type SectionName = keyof typeof statements;

/** The parts of an export, in their order. */
export const sectionNames = Object.keys(statements) as SectionName[];

/** The records of a part of a student's export, some at a time: there may be millions of sign-ins and reads. */
export async function* readSection(database: Pick<Database, 'pool' | 'tenantRole'>, institutionId: string, name: SectionName, studentId: string): AsyncGenerator<object[]> {
  for await (const rows of readByCursor<{ record: object }>(database, statements[name], [institutionId, studentId], { institutionId })) yield rows.map(({ record }) => record);
}

const attemptIds = 'SELECT id FROM (SELECT id, institution_id, started_at FROM attempts WHERE student_id = $2 OFFSET 0) t WHERE institution_id = $1 ORDER BY started_at, id';

/** The ids of a student's attempts. */
export async function listAttemptIds(scope: WalkScope, studentId: string): Promise<string[]> {
  return (await scope.sql<{ id: string }>(attemptIds, [scope.institutionId, studentId])).map(({ id }) => id);
}

const events = records('t.type, t.at, t.detail', 'attempt_events', 'attempt_id', 't.at, t.id');

/** What happened in an attempt, in its order: 20,000 events at most. */
export async function readAttemptEvents(scope: WalkScope, attemptId: string): Promise<object[]> {
  return (await scope.sql<{ record: object }>(events, [scope.institutionId, attemptId])).map(({ record }) => record);
}
