import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Joi from 'joi';
import { errorCode } from './errors';
import { readJson } from './jsonFile';
import { identifySelf, isRunning, type ProcessIdentity } from './processIdentity';

const schema = Joi.object<ProcessIdentity>({ pid: Joi.number().required(), startedAt: Joi.string().required() });

/** Returns the running process that holds a lock file; undefined if there is none. */
export function lockHolder(file: string): ProcessIdentity | undefined {
  const holder = readJson(file, schema);
  return holder !== undefined && isRunning(holder) ? holder : undefined;
}

/** Runs an operation; returns false if it fails with this code, because another process was first. */
function succeedsUnless(operation: () => void, code: string): boolean {
  try {
    operation();
    return true;
  } catch (error) {
    if (errorCode(error) === code) return false;
    throw error;
  }
}

/**
 * Acquires a lock file for this process, until the process ends or releases it; returns false if another running process
 * holds it. The file appears with its content in one step. The lock of a dead process is moved aside before it is removed,
 * so that no new lock of another process is removed.
 */
export function acquireFileLock(file: string): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(identifySelf()));
  try {
    for (;;) {
      if (succeedsUnless(() => linkSync(draft, file), 'EEXIST')) return true;
      if (lockHolder(file) !== undefined) return false;
      const stalePath = `${file}.${process.pid}.stale`;
      if (!succeedsUnless(() => renameSync(file, stalePath), 'ENOENT')) continue;
      const newHolder = lockHolder(stalePath);
      // Another process acquired it between the check and the move: it is put back, unless a third one has acquired it since.
      if (newHolder !== undefined) succeedsUnless(() => linkSync(stalePath, file), 'EEXIST');
      rmSync(stalePath, { force: true });
      if (newHolder !== undefined) return false;
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Releases a lock of this process; does nothing if another process holds it. */
export function releaseFileLock(file: string): void {
  if (lockHolder(file)?.pid === process.pid) rmSync(file, { force: true });
}
