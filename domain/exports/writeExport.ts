import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { institutionScope, type InstitutionScope } from '../../db/database';
import { findExport, finishExport, insertArchive, listExportedFiles, type ExportRow, type NewArchive } from '../../db/repositories/exports/exports';
import { listAttemptIds, readAttemptEvents, readSection, sectionNames } from '../../db/repositories/exports/sections';
import { createZipFile, type ZipFile } from '../../lib/zipFile';
import type { Domain } from '../context';
import { requireSpace } from '../files/noSpace';
import { newId } from '../ids';
import { transact } from '../transact';
import { toPathPart } from './pathPart';
import { exportSchema } from './schema';

/** How long the archive of an export is kept, in ms. */
const exportKeptMs = 7 * 86_400_000;

/** What prepares exports: `spoolFolder` is where an archive is until it is complete. */
export type ExportDeps = Pick<Domain, 'database' | 'secrets' | 'onCommitted' | 'files'> & { spoolFolder: string };

/** Also whether the disks have free space: an archive may be gigabytes, and others need the disk. */
export type SpacedExportDeps = ExportDeps & { hasSpace: () => Promise<boolean> };

const json = (value: unknown): Buffer[] => [Buffer.from(`${JSON.stringify(value, null, 1)}\n`)];

async function addDocument(zip: ZipFile, scope: InstitutionScope, studentId: string, now: Date): Promise<void> {
  const sections: [name: string, records: object | undefined][] = [];
  for (const name of sectionNames) {
    const records = await readSection(scope, name, studentId);
    sections.push([name, name === 'student' ? records[0] : records]);
  }
  await zip.add('student.json', json({ $schema: 'student.schema.json', exported_at: now.toISOString(), ...Object.fromEntries(sections) }));
  await zip.add('student.schema.json', json(exportSchema));
  for (const id of await listAttemptIds(scope, studentId)) await zip.add(`attempts/${id}.json`, json(await readAttemptEvents(scope, id)));
}

async function addFiles(zip: ZipFile, scope: InstitutionScope, { files, hasSpace }: Pick<SpacedExportDeps, 'files' | 'hasSpace'>, { person_id, with_recordings }: ExportRow): Promise<void> {
  for (const { id, attempt_id, filename } of await listExportedFiles(scope, person_id, with_recordings)) {
    await requireSpace(hasSpace);
    await zip.add(`files/${attempt_id}/${id}-${toPathPart(filename)}`, await files.open(id));
  }
}

/**
 * Writes the archive of an export and stores it; no-op if it is ready, or gone with its person. A run that was interrupted begins again: housekeeping
 * deletes what it has stored.
 */
export async function writeExport(deps: SpacedExportDeps, institutionId: string, exportId: string, now: Date): Promise<void> {
  const scope = institutionScope(deps.database, institutionId);
  const wanted = await findExport(scope, exportId);
  if (wanted?.status !== 'preparing') return;
  await requireSpace(deps.hasSpace);
  const path = join(deps.spoolFolder, `${newId('file')}.upload`);
  try {
    const zip = await createZipFile(path);
    try {
      await addDocument(zip, scope, wanted.person_id, now);
      await addFiles(zip, scope, deps, wanted);
    } catch (error) {
      await zip.abandon();
      throw error;
    }
    const archive: NewArchive = { id: newId('file'), ...(await zip.finish()) };
    if (!(await transact(deps, { institutionId, now }, (tx) => insertArchive(tx, wanted, archive, now)))) return;
    await deps.files.put(archive.id, { path, size: archive.size, sha256: archive.sha256, contentType: 'application/zip' });
    await transact(deps, { institutionId, now }, (tx) => finishExport(tx, exportId, archive, now, new Date(now.getTime() + exportKeptMs)));
  } finally {
    await rm(path, { force: true });
  }
}
