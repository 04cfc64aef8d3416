import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import { archiveName } from '../exports/exports';

/** The name of a file that is to be deleted by housekeeping: its upload was under way. */
const erasedFilename = 'erased';

const files = statement(
  'erasure_files',
  `SELECT f.id FROM files f JOIN attempts a ON a.id = f.attempt_id
    WHERE f.institution_id = $1 AND a.student_id = $2 AND NOT (f.status = 'removed' AND f.filename = '${erasedFilename}') ORDER BY f.id LIMIT $3`,
);

/** The ids of at most `limit` files of a student's attempts. */
export async function listFilesOf(scope: InstitutionScope, studentId: string, limit: number): Promise<string[]> {
  return (await scope.sql<{ id: string }>(files, [scope.institutionId, studentId, limit])).map(({ id }) => id);
}

const archives = statement('erasure_archives', "SELECT id FROM files WHERE institution_id = $1 AND kind = 'export' AND filename = $2 ORDER BY id LIMIT $3");

/** The ids of at most `limit` archives of a person's exports. */
export async function listArchivesOf(scope: InstitutionScope, personId: string, limit: number): Promise<string[]> {
  return (await scope.sql<{ id: string }>(archives, [scope.institutionId, archiveName(personId), limit])).map(({ id }) => id);
}

const abandon = statement('erasure_abandon_uploads', `UPDATE files SET status = 'removed', filename = '${erasedFilename}' WHERE institution_id = $1 AND id = ANY ($2::text[]) AND status = 'storing' RETURNING 1`);

/** Removes those files that are still being uploaded: no upload can finish them, and housekeeping deletes what arrives later. Returns how many. */
export async function abandonUploads(scope: InstitutionScope, ids: readonly string[]): Promise<number> {
  return (await scope.sql(abandon, [scope.institutionId, ids])).length;
}

const attachments = statement('erasure_attachments', 'DELETE FROM submission_attachments WHERE institution_id = $1 AND file_id = ANY ($2::text[])');
const fileRows = statement('erasure_file_rows', `DELETE FROM files WHERE institution_id = $1 AND id = ANY ($2::text[]) AND NOT (status = 'removed' AND filename = '${erasedFilename}') RETURNING 1`);

/** Deletes the rows of files whose bytes are gone; returns how many. */
export async function eraseRowsOfFiles(scope: InstitutionScope, ids: readonly string[]): Promise<number> {
  await scope.sql(attachments, [scope.institutionId, ids]);
  return (await scope.sql(fileRows, [scope.institutionId, ids])).length;
}

const exportRows = statement('erasure_exports', 'DELETE FROM person_exports WHERE institution_id = $1 AND person_id = $2 RETURNING 1');

/** Deletes the exports of a person, without their archives; returns how many. */
export async function eraseExportRows(scope: InstitutionScope, personId: string): Promise<number> {
  return (await scope.sql(exportRows, [scope.institutionId, personId])).length;
}
