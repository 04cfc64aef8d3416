import { insertExam, type ExamColumns } from '../../db/repositories/exams';
import { readConfig } from '../../db/repositories/institutionProfile';
import type { Transaction } from '../context';
import { requireOwner } from '../faculty/requireOwner';
import { newId } from '../ids';
import { defaultConfig } from '../institutions/config';
import { announceIfPublished, assignTo } from './assignments';
import { admitCodeSpec, useFiles } from './codeSpec';
import { emitPublished } from './changeStatus';
import { examBounds } from './terms';
import { over, type Given, type WritableExam } from './writable';

/** A new exam: owner and title, the rest has defaults. */
export type NewExam = Pick<WritableExam, 'faculty_id' | 'title'> & Given<Omit<WritableExam, 'faculty_id' | 'title'>> & {
  publish?: boolean | undefined;
  group_ids?: string[] | undefined;
};

/**
 * Creates an exam, published unless `publish` is false, and assigns it. Emits `exam.published`, and for a published one
 * `exam.assigned` for each group; a draft is announced when it is published. `invalid_faculty` for the owner,
 * `not_found` for a group, `validation_error` for the coding spec. Answers its id.
 */
export async function createExam(tx: Transaction, wanted: NewExam): Promise<string> {
  const owner = await requireOwner(tx, wanted.faculty_id);
  const spec = wanted.code_spec == null ? null : await admitCodeSpec(tx, wanted.code_spec);
  const { default_proctoring: proctoring, default_ai_policy: policy } = (await readConfig(tx)) ?? defaultConfig();
  const published = wanted.publish ?? true;
  const exam: ExamColumns = {
    id: newId('exm'),
    faculty_id: owner,
    title: wanted.title,
    exam_type: wanted.exam_type ?? 'exam',
    status: published ? 'published' : 'draft',
    max_score: wanted.max_score ?? examBounds.maxScore.default,
    due_date: wanted.due_date ?? null,
    time_limit_minutes: wanted.time_limit_minutes ?? null,
    allow_late_submission: wanted.allow_late_submission ?? false,
    late_penalty_percentage: wanted.late_penalty_percentage ?? 0,
    proctoring: over(proctoring, wanted.proctoring),
    ai_policy: over(policy, wanted.ai_policy),
    code_spec: spec,
    published_at: published ? tx.now : null,
    closed_at: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertExam(tx, exam);
  if (spec !== null) await useFiles(tx, exam.id, spec);
  await assignTo(tx, exam.id, wanted.group_ids ?? []);
  if (published) emitPublished(tx, { ...exam, app: spec === null ? 'svc' : 'svccode' });
  await announceIfPublished(tx, exam);
  return exam.id;
}
