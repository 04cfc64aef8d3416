import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

/** The columns of a file that readers use. */
export interface FileRow {
  id: string;
  sha256: string;
  /** In bytes. */
  size: number;
  filename: string;
  content_type: string;
}

/** Which part of an exam's `code_spec` uses which file. */
export interface ExamFileUse {
  part: 'starter' | 'sample_tests' | 'hidden_tests';
  fileId: string;
}

const columns = 'id, sha256, size::float8 AS size, filename, content_type';

const lockForShare = statement(
  'files_hold',
  `SELECT ${columns} FROM files WHERE institution_id = $1 AND id = ANY ($2::text[]) AND kind = 'exam' AND status = 'stored' ORDER BY id FOR SHARE`,
);

/** Locks and returns those of these ids that are stored exam files of the institution, so that none is removed before the commit. */
export async function lockFilesForShare(scope: InstitutionScope, ids: readonly string[]): Promise<FileRow[]> {
  return ids.length === 0 ? [] : scope.sql<FileRow>(lockForShare, [scope.institutionId, ids]);
}

const find = statement('files_find', `SELECT ${columns} FROM files WHERE institution_id = $1 AND id = ANY ($2::text[]) AND kind = 'exam' AND status = 'stored'`);

/** Returns those of these ids that are stored exam files of the institution. */
export async function findFiles(scope: InstitutionScope, ids: readonly string[]): Promise<FileRow[]> {
  return ids.length === 0 ? [] : scope.sql<FileRow>(find, [scope.institutionId, ids]);
}

/** A new file of an exam, before its bytes are in the store. */
export interface NewExamFile extends FileRow {
  exam_id: string;
}

const insert = statement(
  'file_insert',
  `INSERT INTO files (id, institution_id, exam_id, status, filename, content_type, size, sha256, created_at, updated_at)
   VALUES ($1, $2, $3, 'storing', $4, $5, $6, $7, $8, $8)`,
);

/** Inserts a file as `storing`, so that housekeeping finds it if its upload fails. */
export async function insertExamFile(scope: InstitutionScope, file: NewExamFile, now: Date): Promise<void> {
  await scope.sql(insert, [file.id, scope.institutionId, file.exam_id, file.filename, file.content_type, file.size, file.sha256, now]);
}

const count = statement('files_of_exam', "SELECT count(*)::int AS files FROM files WHERE institution_id = $1 AND exam_id = $2 AND status <> 'removed'");

/** Counts the files of an exam, including those being stored. */
export async function countExamFiles(scope: InstitutionScope, examId: string): Promise<number> {
  const [row] = await scope.sql<{ files: number }>(count, [scope.institutionId, examId]);
  return row?.files ?? 0;
}

const finish = statement('file_settle', "UPDATE files SET status = $3, updated_at = $4 WHERE institution_id = $1 AND id = $2 AND status = 'storing' AND (exam_id IS NOT NULL OR attempt_id IS NOT NULL) RETURNING id");

/** Sets the final status of a file that was being stored; false if it was abandoned in between, for example with its exam. */
export async function finishUpload(scope: InstitutionScope, id: string, status: 'stored' | 'removed', now: Date): Promise<boolean> {
  return (await scope.sql(finish, [scope.institutionId, id, status, now])).length > 0;
}

const detach = statement('files_disown', 'UPDATE files SET exam_id = NULL, updated_at = $3 WHERE institution_id = $1 AND exam_id = $2');

/** Detaches the files of an exam that is being deleted: other exams' specs may still use them, and housekeeping deletes the unused ones. */
export async function detachFilesFromExam(scope: InstitutionScope, examId: string, now: Date): Promise<void> {
  await scope.sql(detach, [scope.institutionId, examId, now]);
}

const dropUses = statement('exam_files_drop', 'DELETE FROM exam_files WHERE institution_id = $1 AND exam_id = $2');
const addUses = statement(
  'exam_files_add',
  `INSERT INTO exam_files (institution_id, exam_id, part, file_id)
   SELECT $1, $2, part, file_id FROM unnest($3::text[], $4::text[]) AS used (part, file_id)`,
);

/** Replaces the files that the spec of a locked exam uses; the new ones must be locked ({@link lockFilesForShare}). */
export async function replaceExamFiles(scope: InstitutionScope, examId: string, uses: readonly ExamFileUse[]): Promise<void> {
  await scope.sql(dropUses, [scope.institutionId, examId]);
  if (uses.length > 0) await scope.sql(addUses, [scope.institutionId, examId, uses.map(({ part }) => part), uses.map(({ fileId }) => fileId)]);
}

const unused = 'NOT EXISTS (SELECT 1 FROM exam_files u WHERE u.file_id = f.id)';

const lockUnused =
  `SELECT f.id FROM files f WHERE f.kind = 'exam' AND f.exam_id IS NULL AND f.status = 'stored' AND ${unused}
    ORDER BY f.id LIMIT $1 FOR UPDATE SKIP LOCKED`;
// A second statement, after the locks, so that uses committed by previous lock holders are seen.
const removeLockedUnused = `UPDATE files f SET status = 'removed', updated_at = $2 WHERE f.id = ANY ($1::text[]) AND ${unused}`;

/**
 * Marks at most `limit` files of any institution as `removed` whose exam was deleted and that no exam's spec uses. Runs in
 * the caller's transaction. Not prepared: it runs once a day, over an index of few rows.
 */
export async function removeUnusedFiles(sql: Sql, now: Date, limit: number): Promise<void> {
  const locked = await sql<{ id: string }>(lockUnused, [limit]);
  if (locked.length > 0) await sql(removeLockedUnused, [locked.map(({ id }) => id), now]);
}

const collectRemoved =
  `UPDATE files SET status = 'removed' WHERE id IN (
     SELECT id FROM files f
      WHERE (f.status = 'removed' OR f.status = 'storing' AND f.updated_at < $1)
        AND ${unused} AND NOT EXISTS (SELECT 1 FROM submission_attachments a WHERE a.file_id = f.id)
      ORDER BY f.updated_at, f.id LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING id`;

/**
 * Returns `removed` files of any institution, oldest first; files that have been `storing` since before `storingSince`
 * become `removed`, and no upload can finish them. Not prepared: it runs once a day, over an index of few rows.
 */
export async function collectRemovedFiles(sql: Sql, storingSince: Date, limit: number): Promise<string[]> {
  return (await sql<{ id: string }>(collectRemoved, [storingSince, limit])).map(({ id }) => id);
}

const deleteRows = statement('files_forget', "DELETE FROM files WHERE id = ANY ($1::text[]) AND status = 'removed'");

/** Deletes the rows of removed files whose bytes are gone. */
export async function deleteFileRows(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql(deleteRows, [ids]);
}

/** A file with whose it is. */
export interface SignedFileRow extends FileRow {
  institution_id: string;
}

const forDownload = statement(
  'file_of_signed_url',
  `SELECT ${columns}, institution_id FROM files WHERE id = $1 AND status = 'stored'
      AND EXISTS (SELECT 1 FROM institutions i WHERE i.id = files.institution_id AND i.status = 'approved')`,
);

/** Returns a stored file of any approved institution: for holders of a URL that we signed. */
export async function findSignedFile(sql: Sql, id: string): Promise<SignedFileRow | undefined> {
  const [row] = await sql<SignedFileRow>(forDownload, [id]);
  return row;
}
