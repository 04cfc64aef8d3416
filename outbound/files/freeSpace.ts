import { readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Settings } from '../../config/settings';

/** The folders whose disks must keep free space. */
interface FreeSpaceOptions {
  folders: readonly string[];
  /** What each disk must have free, in bytes, if that is more than its twentieth part. */
  minimumBytes: number;
  /** A folder that may have so many bytes in it, which its disk does not know. */
  limited: { folder: string; maxBytes: number } | null;
}

/** The part of a disk that must be free. */
const minimumPart = 1 / 20;
/** How long a measurement is used, in ms. */
const maxAgeMs = 1_000;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** The folder, or the nearest one above it that exists. */
async function measure(folder: string): Promise<{ free: number; total: number }> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, total: blocks * bsize };
  } catch (error) {
    const parent = dirname(folder);
    // Nothing is below a path that is no folder either: the store says so when it writes.
    if (!(isMissing(error) || codeOf(error) === 'ENOTDIR') || parent === folder) throw error;
    return measure(parent);
  }
}

/** What `reading` returns; `otherwise` if what it reads is not there. */
const unlessMissing = <T>(reading: Promise<T>, otherwise: T): Promise<T> =>
  reading.catch((error: unknown) => {
    if (isMissing(error)) return otherwise;
    throw error;
  });

/** How many bytes the files of a folder have; a folder that is missing has none, and neither has a file that was deleted meanwhile. */
async function bytesIn(folder: string): Promise<number> {
  const names = await unlessMissing(readdir(folder), []);
  const sizes = await Promise.all(names.map((name) => unlessMissing(stat(join(folder, name)).then(({ size }) => size), 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Returns a function that says whether there is enough free space for uploads: of every disk a twentieth, and at least the
 * minimum; in a limited folder any. It measures at most once a second.
 */
function createFreeSpaceCheck({ folders, minimumBytes, limited }: FreeSpaceOptions): () => Promise<boolean> {
  let last: { at: number; enough: Promise<boolean> } | undefined;
  const hasEnough = async (): Promise<boolean> => {
    if (limited !== null && (await bytesIn(limited.folder)) >= limited.maxBytes) return false;
    const disks = await Promise.all(folders.map(measure));
    return disks.every(({ free, total }) => free >= Math.max(minimumBytes, total * minimumPart));
  };
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at >= maxAgeMs) last = { at: now, enough: hasEnough() };
    return last.enough;
  };
}

/** Returns the check of the disks on which a process keeps files and those that are not complete, and of the limit of the latter's folder. */
export function checkSpaceForFiles({ fileStore, uploadSpoolFolder, minimumFreeBytes, spoolMaxBytes }: Pick<Settings, 'fileStore' | 'uploadSpoolFolder' | 'minimumFreeBytes' | 'spoolMaxBytes'>): () => Promise<boolean> {
  const folders = [uploadSpoolFolder, ...(fileStore.kind === 'folder' ? [fileStore.folder] : [])];
  return createFreeSpaceCheck({ folders, minimumBytes: minimumFreeBytes, limited: spoolMaxBytes === null ? null : { folder: uploadSpoolFolder, maxBytes: spoolMaxBytes } });
}
