import { gatherNoticeRecipients } from '../../db/repositories/exams/notices';
import { announceAssignments } from '../../domain/exams/notices/announceAssignments';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import { systemCaller, type TestApi, type TestInstitution } from './api';
import { seedAssignments } from './seed/exams';

/** Assigns a published exam to groups and announces it, as the commands of exams do; returns the notice in the outbox. */
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
