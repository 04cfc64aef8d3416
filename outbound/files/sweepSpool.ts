import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const dayMs = 86_400_000;

/** Deletes temporary files that killed processes left over a day before `now`; creates the folder if it is missing. */
export async function sweepSpool(folder: string, now: Date): Promise<void> {
  await mkdir(folder, { recursive: true });
  const uploads = (await readdir(folder)).filter((name) => name.endsWith('.upload'));
  await Promise.all(uploads.map(async (name) => {
    const path = join(folder, name);
    // Another process may have deleted it.
    const written = await stat(path).catch(() => undefined);
    if (written !== undefined && now.getTime() - written.mtimeMs > dayMs) await rm(path, { force: true });
  }));
}
