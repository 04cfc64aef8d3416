import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';
import type { WalkScope } from '../../walk';

/** The export of a person's data. */
export interface ExportRow {
  id: string;
  person_id: string;
  number: number;
  with_recordings: boolean;
  status: 'preparing' | 'ready' | 'expired';
  /** The archive; null before it is ready. */
  file_id: string | null;
  size: number | null;
  sha256: string | null;
  created_at: Date;
  ready_at: Date | null;
  expires_at: Date | null;
}

const columns = 'id, person_id, number, with_recordings, status, file_id, size::float8 AS size, sha256, created_at, ready_at, expires_at';

const newest = statement('export_newest', `SELECT ${columns} FROM person_exports WHERE institution_id = $1 AND person_id = $2 ORDER BY number DESC LIMIT 1`);

/** Returns the newest export of a person. */
export async function findNewestExport(scope: InstitutionScope, personId: string): Promise<ExportRow | undefined> {
  const [row] = await scope.sql<ExportRow>(newest, [scope.institutionId, personId]);
  return row;
}

const preparing = statement(
  'export_preparing',
  `SELECT ${columns} FROM person_exports WHERE institution_id = $1 AND person_id = $2 AND status = 'preparing' AND with_recordings = $3 ORDER BY number DESC LIMIT 1`,
);

/** Returns the export of a person that is being prepared, with recordings or without. */
export async function findPreparingExport(scope: InstitutionScope, personId: string, withRecordings: boolean): Promise<ExportRow | undefined> {
  const [row] = await scope.sql<ExportRow>(preparing, [scope.institutionId, personId, withRecordings]);
  return row;
}

const byId = statement('export_find', `SELECT ${columns} FROM person_exports WHERE institution_id = $1 AND id = $2`);

/** Returns an export of the institution. */
export async function findExport(scope: InstitutionScope, id: string): Promise<ExportRow | undefined> {
  const [row] = await scope.sql<ExportRow>(byId, [scope.institutionId, id]);
  return row;
}

const next = statement('export_next_created', 'SELECT created_at FROM person_exports WHERE institution_id = $1 AND person_id = $2 AND number > $3 ORDER BY number LIMIT 1');

/** Returns when the export after this one of the same person was asked for, by the institution's clock; null if it is the newest. */
export async function findNextExportTime(scope: InstitutionScope, { person_id, number }: ExportRow): Promise<Date | null> {
  const [row] = await scope.sql<Pick<ExportRow, 'created_at'>>(next, [scope.institutionId, person_id, number]);
  return row?.created_at ?? null;
}

const insert = statement(
  'export_insert',
  `INSERT INTO person_exports (id, institution_id, person_id, number, with_recordings, status, created_at) VALUES ($1, $2, $3, $4, $5, 'preparing', $6) RETURNING ${columns}`,
);

/** Inserts an export of a locked person, to be prepared. */
export async function insertExport(scope: InstitutionScope, { id, personId, number, withRecordings }: { id: string; personId: string; number: number; withRecordings: boolean }, now: Date): Promise<ExportRow> {
  const [row] = await scope.sql<ExportRow>(insert, [id, scope.institutionId, personId, number, withRecordings, now]);
  if (row === undefined) throw new Error('The inserted export has no row');
  return row;
}

/** An archive before its bytes are in the store. */
export interface NewArchive {
  id: string;
  size: number;
  sha256: string;
}

const insertFile = statement(
  'export_file_insert',
  `INSERT INTO files (id, institution_id, kind, status, filename, content_type, size, sha256, created_at, updated_at)
   SELECT $1, institution_id, 'export', 'storing', $4, 'application/zip', $5::bigint, $6, $7::timestamptz, $7::timestamptz
     FROM person_exports WHERE institution_id = $2 AND id = $3 AND status = 'preparing' FOR SHARE RETURNING 1`,
);

/** The name of the archives of a person. */
export const archiveName = (personId: string): string => `${personId}.zip`;

/**
 * Inserts the row of an export's archive as `storing`, so that housekeeping finds it if it is never finished. False if the export
 * is not being prepared any more, or is gone with its person.
 */
export async function insertArchive(scope: InstitutionScope, { id: exportId, person_id: personId }: Pick<ExportRow, 'id' | 'person_id'>, archive: NewArchive, now: Date): Promise<boolean> {
  const { id, size, sha256 } = archive;
  return (await scope.sql(insertFile, [id, scope.institutionId, exportId, archiveName(personId), size, sha256, now])).length > 0;
}

const finish = statement(
  'export_finish',
  `UPDATE person_exports SET status = 'ready', file_id = $3, size = $4, sha256 = $5, ready_at = $6, expires_at = $7
    WHERE institution_id = $1 AND id = $2 AND status = 'preparing' RETURNING person_id, number`,
);
const expireEarlier = statement(
  'export_expire_earlier',
  `WITH expired AS (
     UPDATE person_exports SET status = 'expired' WHERE institution_id = $1 AND person_id = $2 AND number < $3 AND status = 'ready' RETURNING file_id
   )
   UPDATE files SET status = 'removed', updated_at = $4 WHERE institution_id = $1 AND id IN (SELECT file_id FROM expired)`,
);
const storeFile = statement('export_file_store', "UPDATE files SET status = $3, updated_at = $4 WHERE institution_id = $1 AND id = $2 AND status = 'storing' RETURNING 1");

/** What became of an archive whose bytes are stored: `lost` if it is wanted and its row is gone, so that nothing may refer to it. */
export type FinishedArchive = 'taken' | 'unwanted' | 'lost';

/** Marks the file of an archive as stored, or as removed if it is not wanted. */
export async function finishArchiveFile(scope: InstitutionScope, fileId: string, wanted: boolean, now: Date): Promise<FinishedArchive> {
  const found = (await scope.sql(storeFile, [scope.institutionId, fileId, wanted ? 'stored' : 'removed', now])).length > 0;
  if (!wanted) return 'unwanted';
  return found ? 'taken' : 'lost';
}

/**
 * Makes an export ready, and expires the earlier ones of its person, which nobody can ask for any more. The archive is removed if
 * another run has, or the row is gone.
 */
export async function finishExport(scope: InstitutionScope, exportId: string, archive: NewArchive, now: Date, expiresAt: Date): Promise<FinishedArchive> {
  const values = [scope.institutionId, exportId, archive.id, archive.size, archive.sha256, now, expiresAt];
  const [finished] = await scope.sql<Pick<ExportRow, 'person_id' | 'number'>>(finish, values);
  if (finished !== undefined) await scope.sql(expireEarlier, [scope.institutionId, finished.person_id, finished.number, now]);
  return finishArchiveFile(scope, archive.id, finished !== undefined, now);
}

// Not prepared: it runs once a day.
const expire =
  `WITH expired AS (
     UPDATE person_exports SET status = 'expired'
      WHERE id IN (SELECT id FROM person_exports WHERE status = 'ready' AND expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING file_id
   )
   UPDATE files SET status = 'removed', updated_at = $1 WHERE id IN (SELECT file_id FROM expired) RETURNING 1`;

/** Removes the archives of at most `limit` exports of any institution that have expired; returns how many. */
export async function expireExports(sql: Sql, now: Date, limit: number): Promise<number> {
  return (await sql(expire, [now, limit])).length;
}

/** A file of a student's attempts. */
export interface ExportedFileRow {
  id: string;
  attempt_id: string;
  filename: string;
}

// The student's attempts first, then the files of each.
const files = statement(
  'export_files_of_attempts',
  `SELECT f.id, a.id AS attempt_id, f.filename FROM (SELECT id, institution_id FROM attempts WHERE student_id = $2 OFFSET 0) a
    CROSS JOIN LATERAL (SELECT id, institution_id, filename FROM files
                         WHERE attempt_id = a.id AND status = 'stored' AND (kind = 'attachment' OR $3::boolean) OFFSET 0) f
    WHERE a.institution_id = $1 AND f.institution_id = $1 ORDER BY f.id`,
);

/** The stored files of a student's attempts, with recordings or without. */
export function listExportedFiles(scope: WalkScope, studentId: string, withRecordings: boolean): Promise<ExportedFileRow[]> {
  return scope.sql<ExportedFileRow>(files, [scope.institutionId, studentId, withRecordings]);
}
