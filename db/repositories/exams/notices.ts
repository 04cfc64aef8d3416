import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import { emailRows } from '../emails/emailRows';

/** An assignment that has just got its notice number, with the number of members of its group. */
export interface AnnouncedAssignment {
  group_id: string;
  notice: number;
  student_count: number;
}

const numberNew = statement(
  'exam_number_new_assignments',
  `WITH numbered AS (
     UPDATE exams e SET last_notice = e.last_notice + 1
      WHERE e.institution_id = $1 AND e.id = $2 AND e.status = 'published'
        AND EXISTS (SELECT 1 FROM exam_assignments a WHERE a.exam_id = e.id AND a.notice IS NULL)
      RETURNING e.last_notice
   ), noted AS (
     INSERT INTO exam_notices (exam_id, number, institution_id, created_at) SELECT $2, last_notice, $1, $3 FROM numbered
   ), announced AS (
     UPDATE exam_assignments a SET notice = n.last_notice FROM numbered n
      WHERE a.institution_id = $1 AND a.exam_id = $2 AND a.notice IS NULL RETURNING a.group_id, a.notice
   )
   SELECT group_id, notice, (SELECT count(*)::int FROM group_members m WHERE m.group_id = announced.group_id) AS student_count
     FROM announced ORDER BY group_id`,
);

/** Gives the assignments of a published exam without a notice number the next one, and creates that notice. */
export function numberNewAssignments(scope: InstitutionScope, examId: string, now: Date): Promise<AnnouncedAssignment[]> {
  return scope.sql<AnnouncedAssignment>(numberNew, [scope.institutionId, examId, now]);
}

const openForSubmission = statement(
  'exam_notice_open_for_submission',
  `WITH numbered AS (UPDATE exams SET last_notice = last_notice + 1 WHERE institution_id = $1 AND id = $2 RETURNING last_notice)
   INSERT INTO exam_notices (exam_id, number, institution_id, submission_id, created_at) SELECT $2, last_notice, $1, $3, $4 FROM numbered
   RETURNING number`,
);

/** Creates the next notice of a locked exam, about the requested resubmission of one submission; returns its number. */
export async function openSubmissionNotice(scope: InstitutionScope, examId: string, submissionId: string, now: Date): Promise<number> {
  const [row] = await scope.sql<{ number: number }>(openForSubmission, [scope.institutionId, examId, submissionId, now]);
  if (row === undefined) throw new Error('There is no such exam to open a notice of');
  return row.number;
}

/** One notice of an exam: the recipients who are notified together of assignments announced together, or of one submission. */
export interface NoticeReference {
  examId: string;
  notice: number;
}

// The exam's row is locked against deletion before the notice's, in the lock order of a deletion.
const lockExamForShare = statement(
  'exam_notice_hold',
  `SELECT 1 FROM exams x JOIN exam_notices n ON n.exam_id = x.id AND n.number = $3
    WHERE x.institution_id = $1 AND x.id = $2 AND (x.status = 'published' OR n.submission_id IS NOT NULL) FOR KEY SHARE OF x`,
);

const openToGather = statement(
  'exam_notice_open_to_gather',
  `SELECT coalesce(gathered_until, '') AS gathered_until FROM exam_notices
    WHERE institution_id = $1 AND exam_id = $2 AND number = $3 AND gathered_at IS NULL AND ended_at IS NULL FOR NO KEY UPDATE`,
);

// Not prepared, like all statements here that read many rows, because their number varies. The candidates, by id: members of
// the groups of this notice, or the student whose submission it is about.
const nextStudents =
  `SELECT id FROM (
     SELECT m.user_id AS id
       FROM exam_assignments a CROSS JOIN LATERAL (
         SELECT user_id FROM group_members WHERE group_id = a.group_id AND user_id > $4 ORDER BY user_id LIMIT $5) m
      WHERE a.institution_id = $1 AND a.exam_id = $2 AND a.notice = $3
     UNION
     SELECT s.student_id FROM exam_notices n JOIN submissions s ON s.id = n.submission_id
      WHERE n.institution_id = $1 AND n.exam_id = $2 AND n.number = $3 AND s.student_id > $4
   ) members ORDER BY id LIMIT $5`;

// Students of a notice are those who see the exam first through a group of this notice and about whom nobody was notified
// before, even if the exam was unassigned and assigned again; or the student whose submission it is about. A guardian whom an
// earlier chunk has written for another student gets one email that names all of them.
const gather =
  `WITH told AS (
     SELECT r.recipient_id AS student_id FROM exam_notice_recipients r JOIN exam_notices n ON n.exam_id = r.exam_id AND n.number = r.notice
      WHERE r.exam_id = $2 AND r.notice < $3 AND r.status = 'sent' AND r.kind = 'student' AND n.submission_id IS NULL AND r.recipient_id = ANY ($4)
     UNION
     SELECT l.student_id FROM exam_notice_recipients r JOIN exam_notices n ON n.exam_id = r.exam_id AND n.number = r.notice
       CROSS JOIN unnest(r.link_ids) AS link JOIN guardian_links l ON l.id = link AND l.student_id = ANY ($4)
      WHERE r.exam_id = $2 AND r.notice < $3 AND r.status = 'sent' AND n.submission_id IS NULL
   ), concerned AS (
     SELECT u.id, u.personal_email_sealed IS NOT NULL AS has_mailbox
       FROM users u JOIN exam_notices about ON about.exam_id = $2 AND about.number = $3
      WHERE u.id = ANY ($4) AND u.institution_id = $1 AND u.kind = 'student' AND u.status <> 'suspended'
        AND (about.submission_id IS NOT NULL OR (
          NOT EXISTS (
            SELECT 1 FROM exam_assignments earlier JOIN group_members n ON n.group_id = earlier.group_id
             WHERE earlier.exam_id = $2 AND earlier.notice < $3 AND n.user_id = u.id)
          AND u.id NOT IN (SELECT student_id FROM told)))
   ), guardians AS (
     SELECT l.guardian_id, min(l.id) AS recipient_id, array_agg(l.id ORDER BY l.id) AS link_ids
       FROM guardian_links l JOIN concerned c ON c.id = l.student_id
      WHERE l.institution_id = $1 AND l.verified_at IS NOT NULL GROUP BY l.guardian_id
   ), known AS (
     SELECT DISTINCT g.guardian_id, r.recipient_id, g.link_ids
       FROM guardians g JOIN guardian_links l ON l.guardian_id = g.guardian_id
       JOIN exam_notice_recipients r ON r.exam_id = $2 AND r.notice = $3 AND r.recipient_id = l.id
   ), extended AS (
     UPDATE exam_notice_recipients r SET link_ids = ARRAY(SELECT DISTINCT link FROM unnest(r.link_ids || k.link_ids) AS link ORDER BY link)
       FROM known k WHERE r.exam_id = $2 AND r.notice = $3 AND r.recipient_id = k.recipient_id
   ), mailboxes AS (
     SELECT id AS recipient_id, 'student' AS kind, NULL::text[] AS link_ids FROM concerned WHERE has_mailbox
     UNION ALL
     SELECT recipient_id, 'guardian', link_ids FROM guardians WHERE guardian_id NOT IN (SELECT guardian_id FROM known)
   )
   INSERT INTO exam_notice_recipients (exam_id, notice, recipient_id, institution_id, kind, link_ids, status)
   SELECT $2, $3, recipient_id, $1, kind, link_ids, 'waiting' FROM mailboxes ON CONFLICT DO NOTHING`;

const recordGathered = statement(
  'exam_notice_note_gathered',
  `UPDATE exam_notices SET gathered_until = coalesce($4, gathered_until), gathered_at = $5 WHERE institution_id = $1 AND exam_id = $2 AND number = $3`,
);

/** Students per transaction, so that it ends soon for classes of any size. */
export const studentsPerChunk = 1_000;

/**
 * Writes the recipients for the next thousand students, each once: repeating it changes nothing. Writes none for assignments
 * if the exam is no longer published. Runs in a transaction of its own; returns whether all are written.
 */
export async function gatherNoticeRecipients(scope: InstitutionScope, { examId, notice }: NoticeReference, now: Date): Promise<boolean> {
  const key = [scope.institutionId, examId, notice];
  if ((await scope.sql(lockExamForShare, key)).length === 0) return true;
  const [open] = await scope.sql<{ gathered_until: string }>(openToGather, key);
  if (open === undefined) return true;
  const students = (await scope.sql<{ id: string }>(nextStudents, [...key, open.gathered_until, studentsPerChunk])).map(({ id }) => id);
  await scope.sql(gather, [...key, students]);
  const isLast = students.length < studentsPerChunk;
  await scope.sql(recordGathered, [...key, students.at(-1), isLast ? now : null]);
  return isLast;
}

/** The emails of notices; a key is institution, exam and number. */
export const noticeEmails = emailRows({
  name: 'exam_notice',
  emailTable: 'exam_notice_recipients',
  recipientColumn: 'recipient_id',
  emailBatchColumns: ['exam_id', 'notice'],
  batchTable: 'exam_notices',
  batchColumns: ['exam_id', 'number'],
});
