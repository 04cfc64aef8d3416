import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Joi from 'joi';
import { codeOf } from './errors';
import { readJson } from './jsonFile';
import { identifySelf, isRunning, type ProcessIdentity } from './processIdentity';

const schema = Joi.object<ProcessIdentity>({ pid: Joi.number().required(), startedAt: Joi.string().required() });

/** The process that holds the claim on a file and still runs; undefined when nobody does. */
export function claimant(file: string): ProcessIdentity | undefined {
  const holder = readJson(file, schema);
  return holder !== undefined && isRunning(holder) ? holder : undefined;
}

/** Does something that fails with this code where another process was there first; false then. */
function first(work: () => void, code: string): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (codeOf(error) === code) return false;
    throw error;
  }
}

/**
 * Claims a file for this process until it ends or lets go; false when another that runs holds it. The file appears with its
 * content in one step, and what a dead process left is moved aside before it is removed, so that nobody's new claim goes.
 */
export function claim(file: string): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(identifySelf()));
  try {
    for (;;) {
      if (first(() => linkSync(draft, file), 'EEXIST')) return true;
      if (claimant(file) !== undefined) return false;
      const aside = `${file}.${process.pid}.stale`;
      if (!first(() => renameSync(file, aside), 'ENOENT')) continue;
      const taken = claimant(aside);
      // Somebody claimed it between the look and the move: it goes back, unless yet another has come.
      if (taken !== undefined) first(() => linkSync(aside, file), 'EEXIST');
      rmSync(aside, { force: true });
      if (taken !== undefined) return false;
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Gives up a claim of this process; another's stays. */
export function letGo(file: string): void {
  if (claimant(file)?.pid === process.pid) rmSync(file, { force: true });
}
