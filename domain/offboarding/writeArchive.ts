import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exportedTables, isFileStored, listExportedColumns, listInstitutionFiles, readExportedLines, type ColumnRow, type ExportedTable } from '../../db/repositories/offboarding/exportedTables';
import { findOffboarding, finishArchive, insertArchive, lockOffboarding } from '../../db/repositories/offboarding/offboardings';
import { lockLeaving } from '../../db/repositories/offboarding/institution';
import type { Database } from '../../db/database';
import { createZipFile, type ZipFile } from '../../lib/zipFile';
import type { ExportDeps } from '../exports/writeExport';
import { toPathPart } from '../exports/pathPart';
import { newId } from '../ids';
import { transact } from '../transact';
import type { OffboardingReference } from './eraseInstitution';
import { exportSchema } from './exportSchema';

const json = (value: unknown): Buffer[] => [Buffer.from(`${JSON.stringify(value, null, 1)}\n`)];

const filesAtOnce = 500;

/** The lines of a table as bytes; counts them. */
async function* linesOf(database: Database, institutionId: string, table: ExportedTable, columns: readonly ColumnRow[], counted: Record<string, number>): AsyncGenerator<Buffer> {
  counted[table] = 0;
  for await (const lines of readExportedLines(database, institutionId, table, columns.map(({ name }) => name))) {
    counted[table] += lines.length;
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
}

/** The tables in the order of the archive. */
const tableNames = Object.keys(exportedTables).filter((name): name is ExportedTable => Object.hasOwn(exportedTables, name));

async function addTables(zip: ZipFile, { database }: ExportDeps, institutionId: string, now: Date): Promise<void> {
  const tables: [ExportedTable, ColumnRow[]][] = [];
  for (const table of tableNames) tables.push([table, await listExportedColumns(database.sql, table)]);
  await zip.add('schema.json', json(exportSchema(tables)));
  const lines: Record<string, number> = {};
  for (const [table, columns] of tables) await zip.add(`data/${table}.jsonl`, linesOf(database, institutionId, table, columns, lines));
  await zip.add('institution.json', json({ institution_id: institutionId, exported_at: now.toISOString(), lines }));
}

async function addFiles(zip: ZipFile, { database, files }: ExportDeps, institutionId: string): Promise<void> {
  const scope = { institutionId, sql: database.sql };
  let after: string | undefined = '';
  while (after !== undefined) {
    const found: { id: string; filename: string }[] = await listInstitutionFiles(scope, after, filesAtOnce);
    for (const { id, filename } of found) {
      const bytes = await files.open(id).catch(async (error: unknown) => {
        // Removed since it was listed: its retention has ended.
        if (await isFileStored(scope, id)) throw error;
        return undefined;
      });
      if (bytes !== undefined) await zip.add(`files/${id}-${toPathPart(filename)}`, bytes);
    }
    after = found.at(-1)?.id;
  }
}

/**
 * Writes the archive of an institution that leaves, and stores it; no-op if there is one, or the offboarding was cancelled. A run
 * that was interrupted begins again: housekeeping deletes what it has stored.
 */
export async function writeArchive(deps: ExportDeps, { institutionId, number }: OffboardingReference, now: Date): Promise<void> {
  const offboarding = await findOffboarding({ institutionId, sql: deps.database.sql });
  if (offboarding?.number !== number || offboarding.status !== 'read_only' || offboarding.file_id !== null) return;
  const path = join(deps.spoolFolder, `${newId('file')}.upload`);
  try {
    const zip = await createZipFile(path);
    try {
      await addTables(zip, deps, institutionId, now);
      await addFiles(zip, deps, institutionId);
    } catch (error) {
      await zip.abandon();
      throw error;
    }
    const { size, sha256 } = await zip.finish();
    const archive = { file_id: newId('file'), size, sha256 };
    if (!(await transact(deps, { institutionId, now }, (tx) => insertArchive(tx, number, archive, now)))) return;
    await deps.files.put(archive.file_id, { path, size, sha256, contentType: 'application/zip' });
    await transact(deps, { institutionId, now }, async (tx) => {
      await lockLeaving(tx);
      const locked = await lockOffboarding(tx, number);
      await finishArchive(tx, number, archive, locked?.status === 'read_only' && locked.file_id === null, now);
    });
  } finally {
    await rm(path, { force: true });
  }
}
