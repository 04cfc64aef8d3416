import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const dayMs = 86_400_000;

/** Removes what uploads of killed processes left behind over a day before `now`; makes the folder where it is missing. */
export async function sweepSpool(folder: string, now: Date): Promise<void> {
  await mkdir(folder, { recursive: true });
  const uploads = (await readdir(folder)).filter((name) => name.endsWith('.upload'));
  await Promise.all(uploads.map(async (name) => {
    const path = join(folder, name);
    // Another process may have taken it away.
    const written = await stat(path).catch(() => undefined);
    if (written !== undefined && now.getTime() - written.mtimeMs > dayMs) await rm(path, { force: true });
  }));
}
