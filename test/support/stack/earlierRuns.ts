import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { identify } from '../../../local/processIdentity';
import { endLeftovers, runningOwner } from '../../../local/processRecord';

/** The record of a run's processes inside its folder. */
export const recordFile = (folder: string): string => join(folder, 'processes.json');

/** A run names its folder after its process, and has it for a moment before the record. */
const isBeginning = (folder: string): boolean =>
  !existsSync(recordFile(folder)) && identify(Number.parseInt(basename(folder), 10)) !== undefined;

/** Ends the processes and removes the files of runs that were killed; runs that go on are left alone. */
export async function clearEarlierRuns(parent: string): Promise<void> {
  if (!existsSync(parent)) return;
  for (const entry of readdirSync(parent)) {
    const folder = join(parent, entry);
    if (runningOwner(recordFile(folder)) !== undefined || isBeginning(folder)) continue;
    await endLeftovers(recordFile(folder));
    rmSync(folder, { recursive: true, force: true });
  }
}
