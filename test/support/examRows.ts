import { gatherNoticeRecipients } from '../../db/repositories/exams/notices';
import { announceAssignments } from '../../domain/exams/notices/announceAssignments';
import { newId } from '../../domain/ids';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { sealEmail } from '../../domain/people/personalEmail';
import { createStudent } from '../../domain/students/createStudent';
import { transact } from '../../domain/transact';
import { systemCaller, type TestApi, type TestInstitution } from './api';
import { registerSecret } from './leaks';

/** Columns of `exams` that a test chooses. */
export interface ExamFields {
  title: string;
  exam_type: string;
  status: 'draft' | 'published' | 'closed';
  due_date: Date | null;
  time_limit_minutes: number | null;
  proctoring: { camera: boolean; microphone: boolean; screen: boolean };
  code_spec: object | null;
}

const defaultFields: ExamFields = {
  title: 'Algebra',
  exam_type: 'exam',
  status: 'published',
  due_date: null,
  time_limit_minutes: null,
  proctoring: { camera: false, microphone: false, screen: false },
  code_spec: null,
};

/** An exam of the institution's admin, written as it stands; published unless it says otherwise. Answers its id. */
export async function seedExam({ api }: TestApi, { id: institutionId, adminId }: TestInstitution, fields: Partial<ExamFields> = {}): Promise<string> {
  const { title, exam_type, status, due_date, time_limit_minutes, proctoring, code_spec } = { ...defaultFields, ...fields };
  const id = newId('exm');
  await api.domain.database.sql(
    `INSERT INTO exams (id, institution_id, faculty_id, title, exam_type, status, max_score, due_date, time_limit_minutes, allow_late_submission,
            late_penalty_percentage, proctoring, ai_policy, code_spec, published_at, closed_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, 100, $7, $8, false, 0, $9, '{}', $10, CASE WHEN $6 <> 'draft' THEN now() END, CASE WHEN $6 = 'closed' THEN now() END, now(), now())`,
    [id, institutionId, adminId, title, exam_type, status, due_date, time_limit_minutes, proctoring, code_spec],
  );
  return id;
}

/** A group of the institution's admin with these members; answers its id. */
export async function seedGroup({ api }: TestApi, { id: institutionId, adminId }: TestInstitution, memberIds: readonly string[] = []): Promise<string> {
  const id = newId('grp');
  const { sql } = api.domain.database;
  await sql(`INSERT INTO groups (id, institution_id, faculty_id, name, created_at, updated_at) VALUES ($1, $2, $3, 'Class', now(), now())`, [id, institutionId, adminId]);
  await sql('INSERT INTO group_members (group_id, user_id, institution_id, created_at) SELECT $1, m, $2, now() FROM unnest($3::text[]) m', [id, institutionId, memberIds]);
  return id;
}

/** Assigns an exam to groups, unannounced. */
export async function seedAssignments({ api }: TestApi, { id: institutionId }: TestInstitution, examId: string, groupIds: readonly string[]): Promise<void> {
  await api.domain.database.sql(
    'INSERT INTO exam_assignments (exam_id, group_id, institution_id, created_at) SELECT $1, g, $2, now() FROM unnest($3::text[]) g',
    [examId, institutionId, groupIds],
  );
}

/** A link between a student and a guardian's mailbox, verified unless it says otherwise; answers its id. */
export async function seedGuardian({ api }: TestApi, { id: institutionId }: TestInstitution, studentId: string, email: string, verified: 'verified' | 'unverified' = 'verified'): Promise<string> {
  const id = newId('gdn');
  registerSecret(email);
  const { sealed, fingerprint } = sealEmail(api.domain.secrets, email);
  await api.domain.database.sql(
    `WITH person AS (
       INSERT INTO users (id, institution_id, kind, status, personal_email_sealed, personal_email_hmac, created_at, updated_at)
       VALUES ($7, $2, 'guardian', 'active', $4, $5, now(), now())
       ON CONFLICT (personal_email_hmac, institution_id) WHERE kind = 'guardian' DO UPDATE SET updated_at = now() RETURNING id
     )
     INSERT INTO guardian_links (id, institution_id, student_id, guardian_id, guardian_type, is_primary, invited_at, expires_at, accepted_at, verified_at, created_at, updated_at)
     SELECT $1, $2, $3, id, 'mother', false, now(), now() + interval '14 days', v.at, v.at, now(), now()
       FROM person CROSS JOIN (SELECT CASE $6 WHEN 'verified' THEN now() END AS at) v`,
    [id, institutionId, studentId, sealed, fingerprint, verified, newId('usr')],
  );
  return id;
}

/** A student with this mailbox, or with none; answers the id. */
export async function seedStudentWithEmail({ api }: TestApi, { caller }: TestInstitution, personal_email: string | null, full_name?: string): Promise<string> {
  if (personal_email !== null) registerSecret(personal_email);
  const student = await transact(api.domain, caller, (tx) => createStudent(tx, { personal_email, ...(full_name === undefined ? {} : { full_name }) }));
  return student.id;
}

/** Assigns a published exam to groups and announces it, as the commands of exams do; answers the notice that is owed. */
export async function assignAndAnnounce(api: TestApi, institution: TestInstitution, examId: string, groupIds: readonly string[]): Promise<WorkflowArguments['examNotification']> {
  const { domain } = api.api;
  await seedAssignments(api, institution, examId, groupIds);
  await transact(domain, systemCaller(institution.id), async (tx) => {
    await tx.sql('SELECT 1 FROM exams WHERE id = $1 FOR NO KEY UPDATE', [examId]);
    await announceAssignments(tx, examId);
  });
  const [exam] = await domain.database.sql<{ last_notice: number }>('SELECT last_notice FROM exams WHERE id = $1', [examId]);
  return { examId, institutionId: institution.id, notice: exam?.last_notice ?? 0 };
}

/** Announces an exam as {@link assignAndAnnounce} does, and has its recipients gathered without a workflow. */
export async function announceAndGatherRecipients(api: TestApi, institution: TestInstitution, examId: string, groupIds: readonly string[]): Promise<WorkflowArguments['examNotification']> {
  const notice = await assignAndAnnounce(api, institution, examId, groupIds);
  const caller = systemCaller(institution.id);
  while (!(await transact(api.api.domain, caller, (tx) => gatherNoticeRecipients(tx, notice, caller.now))));
  return notice;
}

/** A recipient's row. */
export interface RecipientRow {
  recipient_id: string;
  kind: string;
  status: string;
  tries: number;
  sent_at: Date | null;
  error: string | null;
}

/** The recipients of a notice, by their ids. */
export function recipientsOf({ api }: TestApi, { examId, notice }: WorkflowArguments['examNotification']): Promise<RecipientRow[]> {
  return api.domain.database.sql<RecipientRow>(
    'SELECT recipient_id, kind, status, tries, sent_at, error FROM exam_notice_recipients WHERE exam_id = $1 AND notice = $2 ORDER BY recipient_id',
    [examId, notice],
  );
}

/** Gives students a mailbox each, named after their ids; one statement for any number. */
export async function seedPersonalEmails({ api }: TestApi, studentIds: readonly string[]): Promise<void> {
  const mailboxes = studentIds.map((id) => sealEmail(api.domain.secrets, `${id}@mail.example`));
  await api.domain.database.sql(
    `UPDATE users u SET personal_email_sealed = m.sealed, personal_email_hmac = m.fingerprint
       FROM unnest($1::text[], $2::text[], $3::bytea[]) AS m (id, sealed, fingerprint) WHERE u.id = m.id`,
    [studentIds, mailboxes.map(({ sealed }) => sealed), mailboxes.map(({ fingerprint }) => fingerprint)],
  );
}
