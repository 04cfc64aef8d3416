import type { InstitutionScope } from '../database';
import { statement } from '../statement';

/** What a student's app sends with an attempt: what will be handed in, or a segment of a recording. */
export type AttemptFileKind = 'attachment' | 'recording';

const take = statement(
  'attempt_files_take',
  `SELECT id FROM files WHERE institution_id = $1 AND attempt_id = $2 AND kind = 'attachment' AND status = 'stored' AND id = ANY ($3::text[])
    ORDER BY id FOR SHARE`,
);

/** Those of these ids that are stored attachments of the attempt; none is let go before the transaction ends. */
export async function takeAttachments(scope: InstitutionScope, attemptId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = ids.length === 0 ? [] : await scope.sql<{ id: string }>(take, [scope.institutionId, attemptId, ids]);
  return new Set(rows.map(({ id }) => id));
}
