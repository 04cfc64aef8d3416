import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder on a disk that soon has too little free space. */
export interface SmallDisk {
  readonly folder: string;
  /** Whether it is a disk of its own, which can be full. */
  readonly isMounted: boolean;
  /** What must stay free there, for the settings of a service. */
  readonly minimumFreeBytes: number;
  /** The bytes that are free. */
  freeBytes(): number;
  remove(): void;
}

/** The disk in memory that every Linux system has. */
const memoryDisk = '/dev/shm';

function mounts(folder: string, sizeBytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a disk on which `usableBytes` can be written above a floor of `floorBytes`: a new one where disks can be mounted, as
 * root. Elsewhere it is a folder of the disk in memory, with a floor that is as far below what is free there now.
 */
export function openSmallDisk({ usableBytes, floorBytes }: { usableBytes: number; floorBytes: number }): SmallDisk {
  const mounted = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const isMounted = mounts(mounted, usableBytes + floorBytes);
  const folder = isMounted ? mounted : mkdtempSync(join(existsSync(memoryDisk) ? memoryDisk : tmpdir(), 'small-disk-'));
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    isMounted,
    minimumFreeBytes: isMounted ? floorBytes : Math.max(0, freeBytes() - usableBytes),
    freeBytes,
    remove: () => {
      if (isMounted) execFileSync('umount', ['-l', folder]);
      for (const one of new Set([mounted, folder])) rmSync(one, { recursive: true, force: true });
    },
  };
}
