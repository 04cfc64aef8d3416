import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endLeftovers, runningOwner } from '../../../local/processRecord';

/** The record of a run's processes inside its folder. */
export const recordFile = (folder: string): string => join(folder, 'processes.json');

/** Ends the processes and removes the files of runs that were killed; runs that go on are left alone. */
export async function clearEarlierRuns(parent: string): Promise<void> {
  if (!existsSync(parent)) return;
  for (const entry of readdirSync(parent)) {
    const folder = join(parent, entry);
    if (runningOwner(recordFile(folder)) !== undefined) continue;
    await endLeftovers(recordFile(folder));
    rmSync(folder, { recursive: true, force: true });
  }
}
