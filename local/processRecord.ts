import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Joi from 'joi';
import { readJson, writeJson } from './jsonFile';
import { identifySelf, isRunning, type ProcessIdentity } from './processIdentity';
import { pause } from './waitUntil';

/** A process of ours as the record keeps it; it leads a process group of its own. */
export interface RecordedProcess extends ProcessIdentity {
  name: string;
  stopSignal: NodeJS.Signals;
}

interface RecordContent {
  owner: ProcessIdentity;
  processes: RecordedProcess[];
}

const leftoverGraceMs = 4_000;

const identityFields = { pid: Joi.number().integer().min(2).required(), startedAt: Joi.string().required() };
const contentSchema = Joi.object<RecordContent>({
  owner: Joi.object(identityFields).required(),
  processes: Joi.array()
    .items(Joi.object({ ...identityFields, name: Joi.string().required(), stopSignal: Joi.string().required() }))
    .required(),
});

/** Signals the process and its group, if it is still that very process. Says whether it was. */
function signalGroup(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isRunning(identity)) return false;
  try {
    process.kill(-identity.pid, signal);
  } catch {
    return false;
  }
  return true;
}

/** Ends one process and its group: its own signal first, SIGKILL when `graceMs` have passed. */
export async function endProcess(ended: RecordedProcess, graceMs: number): Promise<void> {
  const deadline = Date.now() + graceMs;
  signalGroup(ended, ended.stopSignal);
  while (isRunning(ended)) {
    if (Date.now() >= deadline) signalGroup(ended, 'SIGKILL');
    await pause(20);
  }
}

/** The owner of a record that still runs; undefined when there is none. */
export function runningOwner(file: string): ProcessIdentity | undefined {
  const owner = readJson(file, contentSchema)?.owner;
  return owner !== undefined && isRunning(owner) ? owner : undefined;
}

/** Ends what a killed run left behind, last started first. Never touches a process whose start time differs. */
export async function endLeftovers(file: string): Promise<string[]> {
  const ended: string[] = [];
  for (const leftover of (readJson(file, contentSchema)?.processes ?? []).reverse()) {
    if (!isRunning(leftover)) continue;
    await endProcess(leftover, leftoverGraceMs);
    ended.push(leftover.name);
  }
  rmSync(file, { force: true });
  return ended;
}

/**
 * What this run has started, kept in a file so that the next run can end what a `kill -9` left behind.
 * Two runs that claim the same record at the same instant are not detected.
 */
export class ProcessRecord {
  private processes: RecordedProcess[] = [];
  private closed = false;
  private released = false;

  private constructor(private readonly file: string, private readonly owner: ProcessIdentity) {}

  /** Takes the record for this process. Throws when a run that is alive holds it; ends what a dead one left. */
  static async claim(file: string): Promise<{ record: ProcessRecord; leftovers: string[] }> {
    const running = runningOwner(file);
    if (running !== undefined) throw new Error(`It runs already, as process ${running.pid}: stop that one first`);
    const leftovers = await endLeftovers(file);
    mkdirSync(dirname(file), { recursive: true });
    const record = new ProcessRecord(file, identifySelf());
    record.write();
    return { record, leftovers };
  }

  /** Throws once the record is closed: what is stopping starts nothing more. */
  requireOpen(): void {
    if (this.closed) throw new Error('Stopping');
  }

  add(started: RecordedProcess): void {
    this.processes.push(started);
    this.write();
  }

  remove(ended: ProcessIdentity): void {
    this.processes = this.processes.filter(({ pid }) => pid !== ended.pid);
    this.write();
  }

  /** The process that runs under this name; undefined if none does. */
  pidOf(name: string): number | undefined {
    return this.processes.find((one) => one.name === name)?.pid;
  }

  /** The names of everything that runs. */
  names(): string[] {
    return this.processes.map(({ name }) => name);
  }

  /** From now on nothing can be started. */
  close(): void {
    this.closed = true;
  }

  /** Ends the remaining processes, last started first, each within `graceMs`, and removes the file. */
  async release(graceMs: number): Promise<void> {
    this.close();
    for (const left of [...this.processes].reverse()) await endProcess(left, graceMs);
    this.released = true;
    rmSync(this.file, { force: true });
  }

  /** Kills the remaining processes without waiting. The record stays, for the next run to check. */
  killNow(): void {
    this.close();
    for (const left of this.processes) signalGroup(left, 'SIGKILL');
  }

  private write(): void {
    if (this.released) return;
    const content: RecordContent = { owner: this.owner, processes: this.processes };
    writeJson(this.file, content);
  }
}
