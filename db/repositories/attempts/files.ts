import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import type { FileRow } from '../files/files';

/** The kind of a file of an attempt: an attachment of the submission, or a segment of a recording. */
export type AttemptFileKind = 'attachment' | 'recording';

/** A new file of an attempt, before its bytes are in the store. */
export interface NewAttemptFile extends FileRow {
  attempt_id: string;
  kind: AttemptFileKind;
}

const insert = statement(
  'attempt_file_insert',
  `INSERT INTO files (id, institution_id, attempt_id, kind, status, filename, content_type, size, sha256, created_at, updated_at)
   VALUES ($1, $2, $3, $4, 'storing', $5, $6, $7, $8, $9, $9)`,
);

/** Inserts a file as `storing`, so that housekeeping finds it if its upload fails. */
export async function insertAttemptFile(scope: InstitutionScope, file: NewAttemptFile, now: Date): Promise<void> {
  await scope.sql(insert, [file.id, scope.institutionId, file.attempt_id, file.kind, file.filename, file.content_type, file.size, file.sha256, now]);
}

const count = statement('attempt_files_count', "SELECT count(*)::int AS files FROM files WHERE institution_id = $1 AND attempt_id = $2 AND status <> 'removed'");

/** Counts the files of an attempt, including those being stored. */
export async function countAttemptFiles(scope: InstitutionScope, attemptId: string): Promise<number> {
  const [row] = await scope.sql<{ files: number }>(count, [scope.institutionId, attemptId]);
  return row?.files ?? 0;
}

const lockAttachmentRows = statement(
  'attempt_files_hold',
  `SELECT id FROM files WHERE institution_id = $1 AND attempt_id = $2 AND kind = 'attachment' AND status = 'stored' AND id = ANY ($3::text[])
    ORDER BY id FOR NO KEY UPDATE`,
);

/** Locks and returns those of these ids that are stored attachments of the attempt, so that none is removed before the commit. */
export async function lockAttachments(scope: InstitutionScope, attemptId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = ids.length === 0 ? [] : await scope.sql<{ id: string }>(lockAttachmentRows, [scope.institutionId, attemptId, ids]);
  return new Set(rows.map(({ id }) => id));
}
