import { newId } from '../../../domain/ids';
import type { TestApi, TestInstitution } from '../api';

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

/** An exam of the institution's admin, written as it stands; published unless it says otherwise. Returns its id. */
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

/** Assigns an exam to groups, unannounced. */
export async function seedAssignments({ api }: TestApi, { id: institutionId }: TestInstitution, examId: string, groupIds: readonly string[]): Promise<void> {
  await api.domain.database.sql(
    'INSERT INTO exam_assignments (exam_id, group_id, institution_id, created_at) SELECT $1, g, $2, now() FROM unnest($3::text[]) g',
    [examId, institutionId, groupIds],
  );
}
