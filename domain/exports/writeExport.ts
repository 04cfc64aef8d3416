import { institutionScope, type Database, type InstitutionScope } from '../../db/database';
import { findExport, finishExport, insertArchive, listExportedFiles, type ExportRow } from '../../db/repositories/exports/exports';
import { listAttemptIds, readAttemptEvents, readSection, sectionNames } from '../../db/repositories/exports/sections';
import type { ZipFile } from '../../lib/zipFile';
import { requireSpace } from '../files/noSpace';
import { toPathPart } from './pathPart';
import { exportSchema } from './schema';
import { clearSpool, jsonDocument, storeArchive, type ArchiveDeps } from './storeArchive';

/** How long the archive of an export is kept, in ms. */
const exportKeptMs = 7 * 86_400_000;

/** The records of a part as a JSON array. */
async function* arrayOf(parts: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const records of parts) {
    yield `${separator}\n  ${records.map((record) => JSON.stringify(record)).join(',\n  ')}`;
    separator = ',';
  }
  yield separator === '[' ? '[]' : '\n ]';
}

async function* objectOf(parts: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const [record] of parts) yield JSON.stringify(record);
}

/** `student.json`, which is written as it is read: it need not fit into memory. */
async function* documentOf(database: Pick<Database, 'pool' | 'tenantRole'>, institutionId: string, studentId: string, now: Date): AsyncGenerator<Buffer> {
  yield Buffer.from(`{\n "$schema": "student.schema.json",\n "exported_at": "${now.toISOString()}"`);
  for (const name of sectionNames) {
    yield Buffer.from(`,\n "${name}": `);
    const records = readSection(database, institutionId, name, studentId);
    for await (const text of name === 'student' ? objectOf(records) : arrayOf(records)) yield Buffer.from(text);
  }
  yield Buffer.from('\n}\n');
}

async function addDocuments(zip: ZipFile, scope: InstitutionScope, database: Pick<Database, 'pool' | 'tenantRole'>, studentId: string, now: Date): Promise<void> {
  await zip.add('student.json', documentOf(database, scope.institutionId, studentId, now));
  await zip.add('student.schema.json', jsonDocument(exportSchema));
  for (const id of await listAttemptIds(scope, studentId)) await zip.add(`attempts/${id}.json`, jsonDocument(await readAttemptEvents(scope, id)));
}

async function addFiles(zip: ZipFile, scope: InstitutionScope, { files, hasSpace }: Pick<ArchiveDeps, 'files' | 'hasSpace'>, { person_id, with_recordings }: ExportRow): Promise<void> {
  for (const { id, attempt_id, filename } of await listExportedFiles(scope, person_id, with_recordings)) {
    await requireSpace(hasSpace);
    await zip.add(`files/${attempt_id}/${id}-${toPathPart(filename)}`, await files.open(id));
  }
}

/** Writes the archive of an export and stores it; no-op if it is ready, or gone with its person. */
export async function writeExport(deps: ArchiveDeps, institutionId: string, exportId: string, now: Date): Promise<void> {
  await clearSpool(deps.spoolFolder, exportId);
  const scope = institutionScope(deps.database, institutionId);
  const wanted = await findExport(scope, exportId);
  if (wanted?.status !== 'preparing') return;
  await storeArchive(deps, {
    institutionId,
    work: exportId,
    fill: async (zip) => {
      await addDocuments(zip, scope, deps.database, wanted.person_id, now);
      await addFiles(zip, scope, deps, wanted);
    },
    insert: (tx, archive) => insertArchive(tx, wanted, archive, tx.now),
    finish: (tx, archive) => finishExport(tx, exportId, archive, tx.now, new Date(tx.now.getTime() + exportKeptMs)),
  }, now);
}
