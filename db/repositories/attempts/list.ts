import type { InstitutionScope } from '../../database';
import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import type { AttemptStatus } from '../exams/studentExams';

/** An attempt in a list, with its student and submission. */
export interface ListedAttemptRow {
  id: string;
  student_id: string;
  student_email: string;
  status: AttemptStatus;
  started_at: Date;
  expires_at: Date | null;
  hidden_released_at: Date | null;
  ended_at: Date | null;
  submission_id: string | null;
}

// Each attempt has one student with one login email.
const query = {
  columns: `a.id, a.student_id, e.login_email AS student_email, a.status, a.started_at, a.expires_at, a.hidden_released_at, a.ended_at,
    s.id AS submission_id`,
  from: 'attempts a',
  joins: 'LEFT JOIN institution_emails e ON e.user_id = a.student_id LEFT JOIN submissions s ON s.attempt_id = a.id',
  key: 'a.id',
  order: newestFirst('a.started_at', 'a.id'),
};

/** One page of the attempts at an exam, the latest first. */
export function listExamAttempts(scope: InstitutionScope, examId: string, page: Page): Promise<PageOf<ListedAttemptRow>> {
  const conditions = [
    { sql: 'a.institution_id = $', value: scope.institutionId },
    { sql: 'a.exam_id = $', value: examId },
  ];
  return readPage(scope.sql, { ...query, conditions }, page);
}
