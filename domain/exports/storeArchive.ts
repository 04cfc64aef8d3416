import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FinishedArchive } from '../../db/repositories/exports/exports';
import { createZipFile, type ZipFile } from '../../lib/zipFile';
import type { Domain, Transaction } from '../context';
import { requireSpace } from '../files/noSpace';
import { newId } from '../ids';
import { transact } from '../transact';

/**
 * What prepares archives: `spoolFolder` is where an archive is until it is complete; `hasSpace` says whether the disks have free
 * space: an archive may be gigabytes, and others need the disk.
 */
export type ArchiveDeps = Pick<Domain, 'database' | 'secrets' | 'onCommitted' | 'files'> & { spoolFolder: string; hasSpace: () => Promise<boolean> };

/** An archive, by the id of its file. */
export interface StoredArchive {
  id: string;
  size: number;
  sha256: string;
}

/** The archive that is to be written. */
interface Archive {
  institutionId: string;
  /** The id of the work that writes it, without a dot. */
  work: string;
  fill: (zip: ZipFile) => Promise<void>;
  /** Inserts the row of the file as `storing`, so that housekeeping finds it if it is never finished; false if nobody wants it any more. */
  insert: (tx: Transaction, archive: StoredArchive) => Promise<boolean>;
  /** Marks the file as stored, if it is still wanted. */
  finish: (tx: Transaction, archive: StoredArchive) => Promise<FinishedArchive>;
}

/** The row of an archive that is wanted was deleted while its bytes were being stored: it is written again. */
class ArchiveLost extends Error {
  override readonly name = 'ArchiveLost';
}

/** A JSON document of an archive. */
export const jsonDocument = (value: unknown): Buffer[] => [Buffer.from(`${JSON.stringify(value, null, 1)}\n`)];

/** Deletes what killed runs of a work have left in the spool folder: the archive needs the room. A run that is alive still fails then. */
export async function clearSpool(folder: string, work: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.startsWith(`${work}.`));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}

/** Writes an archive into the spool folder, and stores it. A run that was interrupted begins again: housekeeping deletes what it has stored. */
export async function storeArchive(deps: ArchiveDeps, { institutionId, work, fill, insert, finish }: Archive, now: Date): Promise<void> {
  await requireSpace(deps.hasSpace);
  const begunAt = Date.now();
  // The time of the moment, not of the begin: housekeeping deletes what is being stored for more than a day.
  const caller = (): { institutionId: string; now: Date } => ({ institutionId, now: new Date(now.getTime() + Date.now() - begunAt) });
  const path = join(deps.spoolFolder, `${work}.${newId('file')}.upload`);
  try {
    const archive = { id: newId('file'), ...(await writeZip(path, fill)) };
    if (!(await transact(deps, caller(), (tx) => insert(tx, archive)))) return;
    await deps.files.put(archive.id, { path, size: archive.size, sha256: archive.sha256, contentType: 'application/zip' });
    const finished = await transact(deps, caller(), async (tx) => {
      const outcome = await finish(tx, archive);
      if (outcome === 'lost') throw new ArchiveLost(`The row of the file ${archive.id} is gone`);
      return outcome;
    }).catch(async (error: unknown) => {
      if (error instanceof ArchiveLost) await deps.files.delete(archive.id);
      throw error;
    });
    // Housekeeping may have deleted the bytes of the removed row before they were all there.
    if (finished === 'unwanted') await deps.files.delete(archive.id);
  } finally {
    await rm(path, { force: true });
  }
}

async function writeZip(path: string, fill: Archive['fill']): Promise<{ size: number; sha256: string }> {
  const zip = await createZipFile(path);
  try {
    await fill(zip);
    return await zip.finish();
  } catch (error) {
    // Closed already if the end could be written.
    await zip.abandon().catch(() => undefined);
    throw error;
  }
}
