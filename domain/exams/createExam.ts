import { insertExam, type NewExamRow } from '../../db/repositories/exams/exams';
import { readConfig } from '../../db/repositories/institutions/profile';
import type { Transaction } from '../context';
import { requireOwner } from '../faculty/requireOwner';
import { newId } from '../ids';
import { defaultConfig } from '../institutions/config';
import { assignExam } from './assignments';
import { validateCodeSpec, replaceSpecFiles } from './codeSpec';
import { emitPublished } from './changeStatus';
import { announceAssignments } from './notices/announceAssignments';
import { requireCodeSecret } from './requireCodeSecret';
import { examDefaults } from './limits';
import { mergeDefined, type OptionalFields, type WritableExam } from './writableExam';

/** A new exam: owner and title; the other fields have defaults. */
export type NewExam = Pick<WritableExam, 'faculty_id' | 'title'> & OptionalFields<Omit<WritableExam, 'faculty_id' | 'title'>> & {
  publish?: boolean | undefined;
  group_ids?: string[] | undefined;
};

/**
 * Creates an exam, published unless `publish` is false, assigns it and returns its id. Emits `exam.published` and, for a
 * published exam, `exam.assigned` for each group; a draft is announced when it is published. `invalid_faculty` for the
 * owner, `not_found` for a group, `validation_error` for the coding spec, `conflict` if a published exam has hidden
 * tests, because its secret cannot be set yet.
 */
export async function createExam(tx: Transaction, wanted: NewExam): Promise<string> {
  const { faculty_id, title, proctoring, ai_policy, code_spec, group_ids, ...given } = wanted;
  const owner = await requireOwner(tx, faculty_id);
  const spec = code_spec == null ? null : await validateCodeSpec(tx, code_spec);
  const { default_proctoring, default_ai_policy } = (await readConfig(tx)) ?? defaultConfig();
  const { publish, ...terms } = mergeDefined(examDefaults, given);
  if (publish) requireCodeSecret(spec, { hidden_key_set_at: null }, 'create');
  const exam: NewExamRow = {
    id: newId('exm'),
    faculty_id: owner,
    title,
    ...terms,
    status: publish ? 'published' : 'draft',
    proctoring: mergeDefined(default_proctoring, proctoring),
    ai_policy: mergeDefined(default_ai_policy, ai_policy),
    code_spec: spec,
    published_at: publish ? tx.now : null,
    closed_at: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  const app = await insertExam(tx, exam);
  if (spec !== null) await replaceSpecFiles(tx, exam.id, spec);
  await assignExam(tx, exam.id, group_ids ?? []);
  if (publish) emitPublished(tx, { ...exam, app });
  await announceAssignments(tx, exam.id);
  return exam.id;
}
