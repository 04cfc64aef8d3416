import { exportedTables, isFileStored, listExportedColumns, listInstitutionFiles, readExportedLines, type ColumnRow, type ExportedTable } from '../../db/repositories/offboarding/exportedTables';
import { findOffboarding, finishArchive, insertArchive, lockOffboarding, type ArchiveRow } from '../../db/repositories/offboarding/offboardings';
import { lockLeaving } from '../../db/repositories/offboarding/institution';
import { institutionScope, type Database } from '../../db/database';
import type { ZipFile } from '../../lib/zipFile';
import { clearSpool, jsonDocument, storeArchive, type ArchiveDeps, type StoredArchive } from '../exports/storeArchive';
import { toPathPart } from '../exports/pathPart';
import { requireSpace } from '../files/noSpace';
import type { OffboardingReference } from './eraseInstitution';
import { exportSchema } from './exportSchema';

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

async function addTables(zip: ZipFile, { database }: ArchiveDeps, institutionId: string, now: Date): Promise<void> {
  const tables: [ExportedTable, ColumnRow[]][] = [];
  for (const table of tableNames) tables.push([table, await listExportedColumns(database.sql, table)]);
  await zip.add('schema.json', jsonDocument(exportSchema(tables)));
  const lines: Record<string, number> = {};
  for (const [table, columns] of tables) await zip.add(`data/${table}.jsonl`, linesOf(database, institutionId, table, columns, lines));
  await zip.add('institution.json', jsonDocument({ institution_id: institutionId, exported_at: now.toISOString(), lines }));
}

async function addFiles(zip: ZipFile, { database, files, hasSpace }: ArchiveDeps, institutionId: string): Promise<void> {
  const scope = institutionScope(database, institutionId);
  let after: string | undefined = '';
  while (after !== undefined) {
    const found: { id: string; filename: string }[] = await listInstitutionFiles(scope, after, filesAtOnce);
    for (const { id, filename } of found) {
      await requireSpace(hasSpace);
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

/** Writes the archive of an institution that leaves, and stores it; no-op if there is one, or the offboarding was cancelled. */
export async function writeArchive(deps: ArchiveDeps, { institutionId, number }: OffboardingReference, now: Date): Promise<void> {
  const work = `${institutionId}-${number}`;
  await clearSpool(deps.spoolFolder, work);
  const offboarding = await findOffboarding(institutionScope(deps.database, institutionId));
  if (offboarding?.number !== number || offboarding.status !== 'read_only' || offboarding.file_id !== null) return;
  const rowOf = ({ id, size, sha256 }: StoredArchive): Omit<ArchiveRow, 'exported_at'> => ({ file_id: id, size, sha256 });
  await storeArchive(deps, {
    institutionId,
    work,
    fill: async (zip) => {
      await addTables(zip, deps, institutionId, now);
      await addFiles(zip, deps, institutionId);
    },
    insert: (tx, archive) => insertArchive(tx, number, rowOf(archive), tx.now),
    finish: async (tx, archive) => {
      await lockLeaving(tx);
      const locked = await lockOffboarding(tx, number);
      return finishArchive(tx, number, rowOf(archive), locked?.status === 'read_only' && locked.file_id === null, tx.now);
    },
  }, now);
}
