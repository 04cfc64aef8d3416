import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Settings } from '../../config/settings';

/** The folders whose disks must keep free space. */
interface FreeSpaceOptions {
  folders: readonly string[];
  /** What each disk must have free, in bytes, if that is more than its twentieth part. */
  minimumBytes: number;
}

/** The part of a disk that must be free. */
const minimumPart = 1 / 20;
/** How long a measurement is used, in ms. */
const maxAgeMs = 1_000;

/** The folder, or the nearest one above it that exists. */
async function measure(folder: string): Promise<{ free: number; total: number }> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, total: blocks * bsize };
  } catch (error) {
    const parent = dirname(folder);
    if (parent === folder) throw error;
    return measure(parent);
  }
}

/**
 * Returns a function that says whether every disk has enough free space for uploads: a twentieth of it, and at least the
 * minimum. It measures at most once a second.
 */
function createFreeSpaceCheck({ folders, minimumBytes }: FreeSpaceOptions): () => Promise<boolean> {
  let last: { at: number; enough: Promise<boolean> } | undefined;
  const hasEnough = async (): Promise<boolean> => {
    const disks = await Promise.all(folders.map(measure));
    return disks.every(({ free, total }) => free >= Math.max(minimumBytes, total * minimumPart));
  };
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at >= maxAgeMs) last = { at: now, enough: hasEnough() };
    return last.enough;
  };
}

/** Returns the check of the disks on which a process keeps files and those that are not complete. */
export function checkSpaceForFiles({ fileStore, uploadSpoolFolder, minimumFreeBytes }: Pick<Settings, 'fileStore' | 'uploadSpoolFolder' | 'minimumFreeBytes'>): () => Promise<boolean> {
  const folders = [uploadSpoolFolder, ...(fileStore.kind === 'folder' ? [fileStore.folder] : [])];
  return createFreeSpaceCheck({ folders, minimumBytes: minimumFreeBytes });
}
