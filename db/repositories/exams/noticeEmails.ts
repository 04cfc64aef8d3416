import type { InstitutionScope } from '../../database';
import type { InstitutionStatus } from '../../entities/institution';
import { statement } from '../../statement';
import type { ExamApp, ExamStatus, ExamType, Proctoring } from './columns';
import { noticeEmails, type NoticeReference } from './notices';

type Scope = Pick<InstitutionScope, 'institutionId' | 'sql'>;

/** The fields of an exam and its owner that emails contain. */
export interface NoticeExam {
  id: string;
  title: string;
  exam_type: ExamType;
  app: ExamApp;
  due_date: Date | null;
  time_limit_minutes: number | null;
  proctoring: Proctoring;
  faculty_name: string;
  institution_name: string;
  institution_status: InstitutionStatus;
  login_domain: string;
  time_zone: string;
}

/** The contents of a notice: the exam; for a notice about a submission also the feedback. */
export interface NoticeSubject extends NoticeExam {
  status: ExamStatus;
  allow_late_submission: boolean;
  resubmission: { feedback: string | null } | null;
  /** The database's newest epoch when the notice was created; null without one. */
  epoch: string | null;
}

const subject = statement(
  'exam_notice_subject',
  `SELECT x.id, x.status, CASE WHEN n.submission_id IS NOT NULL THEN jsonb_build_object('feedback', s.feedback) END AS resubmission, x.title, x.exam_type, x.app,
          x.due_date, x.allow_late_submission, x.time_limit_minutes, x.proctoring, coalesce(u.full_name, e.login_email) AS faculty_name,
          i.name AS institution_name, i.status AS institution_status, i.login_domain, i.time_zone,
          (SELECT epoch FROM workflow_epochs w WHERE w.began_at <= n.created_at ORDER BY w.began_at DESC, w.epoch DESC LIMIT 1) AS epoch
     FROM exam_notices n JOIN exams x ON x.id = n.exam_id JOIN institutions i ON i.id = x.institution_id
     JOIN users u ON u.id = x.faculty_id JOIN institution_emails e ON e.user_id = u.id
     LEFT JOIN submissions s ON s.id = n.submission_id
    WHERE n.institution_id = $1 AND n.exam_id = $2 AND n.number = $3 AND (x.status = 'published' OR n.submission_id IS NOT NULL)`,
);

/** Returns the contents of a notice; undefined if its exam is deleted, or if it announces an exam that is no longer published. */
export async function readNoticeSubject({ institutionId, sql }: Scope, { examId, notice }: NoticeReference): Promise<NoticeSubject | undefined> {
  const [row] = await sql<NoticeSubject>(subject, [institutionId, examId, notice]);
  return row;
}

/** A student that an email is about. */
export interface NoticeStudent {
  /** Full name, else login email. */
  name: string;
  login_email: string;
}

/** A claimed recipient with their present data. */
export interface ClaimedRecipient {
  recipient_id: string;
  kind: 'student' | 'guardian';
  /** How often the mail server has deferred it. */
  tries: number;
  /** Null if there is no longer a recipient. */
  mailbox_sealed: string | null;
  /** The person whose mailbox it is: the student or the guardian. */
  mailbox_owner_id: string | null;
  /** The students that the email is about, by name. */
  students: NoticeStudent[] | null;
}

// A student is still a recipient if they are not suspended and see the exam, or if their newest version is still to be
// resubmitted and was not requested again since; a guardian, through links that are still verified.
const currentRecipients =
  `SELECT c.recipient_id, c.kind, c.tries, now_told.mailbox_sealed, now_told.mailbox_owner_id, now_told.students
     FROM claimed c JOIN exam_notices n ON n.exam_id = $2 AND n.number = $3 CROSS JOIN LATERAL (
       SELECT min(coalesce(about.guardian_email_sealed, u.personal_email_sealed)) AS mailbox_sealed,
              min(coalesce(about.guardian_id, u.id)) AS mailbox_owner_id,
              jsonb_agg(jsonb_build_object('name', coalesce(u.full_name, e.login_email), 'login_email', e.login_email)
                        ORDER BY coalesce(u.full_name, e.login_email), u.id) AS students
         FROM (SELECT c.recipient_id AS student_id, NULL AS guardian_email_sealed, NULL AS guardian_id WHERE c.kind = 'student'
               UNION ALL
               SELECT l.student_id, g.personal_email_sealed, g.id FROM guardian_links l JOIN users g ON g.id = l.guardian_id
                WHERE l.id = ANY (c.link_ids) AND l.institution_id = $1 AND l.verified_at IS NOT NULL) about
         JOIN users u ON u.id = about.student_id AND u.institution_id = $1 AND u.status <> 'suspended'
         JOIN institution_emails e ON e.user_id = u.id
        WHERE CASE WHEN n.submission_id IS NULL
                THEN EXISTS (SELECT 1 FROM group_members m JOIN exam_assignments a ON a.exam_id = $2 AND a.group_id = m.group_id WHERE m.user_id = u.id)
                ELSE EXISTS (SELECT 1 FROM submissions s WHERE s.id = n.submission_id AND s.student_id = u.id AND s.status = 'resubmission_required'
                        AND NOT EXISTS (SELECT 1 FROM submissions v WHERE v.exam_id = s.exam_id AND v.student_id = s.student_id AND v.version > s.version)
                        AND NOT EXISTS (SELECT 1 FROM exam_notices anew WHERE anew.submission_id = s.id AND anew.number > n.number))
              END
     ) now_told`;

/** Claims the next due recipients and reads their present rows. */
export function claimRecipients({ institutionId, sql }: Scope, { examId, notice }: NoticeReference, now: Date, limit: number): Promise<ClaimedRecipient[]> {
  return noticeEmails.claim<ClaimedRecipient>(sql, [institutionId, examId, notice], currentRecipients, now, limit);
}
