import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Joi from 'joi';
import { errorCode } from './errors';
import { readJson } from './jsonFile';
import { identifySelf, isRunning, type ProcessIdentity } from './processIdentity';

const schema = Joi.object<ProcessIdentity>({ pid: Joi.number().required(), startedAt: Joi.string().required() });

/** The process that holds the claim on a file and still runs; undefined when nobody does. */
export function lockHolder(file: string): ProcessIdentity | undefined {
  const holder = readJson(file, schema);
  return holder !== undefined && isRunning(holder) ? holder : undefined;
}

/** Does something that fails with this code where another process was there first; false then. */
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
 * Claims a file for this process until it ends or lets go; false when another that runs holds it. The file appears with its
 * content in one step, and what a dead process left is moved aside before it is removed, so that nobody's new claim goes.
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
      // Somebody claimed it between the look and the move: it goes back, unless yet another has come.
      if (newHolder !== undefined) succeedsUnless(() => linkSync(stalePath, file), 'EEXIST');
      rmSync(stalePath, { force: true });
      if (newHolder !== undefined) return false;
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Gives up a claim of this process; another's stays. */
export function releaseFileLock(file: string): void {
  if (lockHolder(file)?.pid === process.pid) rmSync(file, { force: true });
}
