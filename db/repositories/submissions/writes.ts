import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

const previous = statement(
  'submission_lock_previous',
  `SELECT version FROM submissions WHERE institution_id = $1 AND exam_id = $2 AND student_id = $3 ORDER BY version DESC LIMIT 1 FOR NO KEY UPDATE`,
);

/**
 * Returns the next version of a student's submission: 1, or one more than the highest, whose row is locked. The student's
 * attempt is locked, so that no other transaction inserts that version.
 */
export async function nextVersion(scope: InstitutionScope, examId: string, studentId: string): Promise<number> {
  const [row] = await scope.sql<{ version: number }>(previous, [scope.institutionId, examId, studentId]);
  return (row?.version ?? 0) + 1;
}

/** A file of the attempt as an attachment of its submission. */
export interface SubmittedAttachment {
  fileId: string;
  name: string;
}

/** A version to be inserted. */
export interface NewSubmission {
  id: string;
  exam_id: string;
  student_id: string;
  attempt_id: string;
  version: number;
  is_late: boolean;
  text: string | null;
  ai_usage_data: object | null;
  submitted_at: Date;
}

const insert = statement(
  'submission_insert',
  `INSERT INTO submissions (id, institution_id, exam_id, student_id, attempt_id, version, status, is_late, text, ai_usage_data, submitted_at, updated_at)
   VALUES ($2, $1, $3, $4, $5, $6, 'submitted', $7, $8, $9, $10, $10)`,
);
const attach = statement(
  'submission_attach',
  `WITH attached AS (
     INSERT INTO submission_attachments (submission_id, position, file_id, institution_id, name)
     SELECT $2, position, file_id, $1, name FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given (file_id, name, position)
     RETURNING file_id, name
   )
   UPDATE files f SET filename = attached.name FROM attached WHERE f.institution_id = $1 AND f.id = attached.file_id`,
);

/** Inserts a version with its attachments in the order given; their locked files get the attachments' names for downloads. */
export async function insertSubmission(scope: InstitutionScope, row: NewSubmission, attachments: readonly SubmittedAttachment[]): Promise<void> {
  const { id, exam_id, student_id, attempt_id, version, is_late, text, ai_usage_data: usage, submitted_at } = row;
  const values = [exam_id, student_id, attempt_id, version, is_late, text, usage === null ? null : JSON.stringify(usage), submitted_at];
  await scope.sql(insert, [scope.institutionId, id, ...values]);
  if (attachments.length === 0) return;
  await scope.sql(attach, [scope.institutionId, id, attachments.map(({ fileId }) => fileId), attachments.map(({ name }) => name)]);
}
