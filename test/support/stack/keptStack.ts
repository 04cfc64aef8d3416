import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import { acquireFileLock, lockHolder, releaseFileLock } from '../../../local/fileLock';
import { readJson, writeJson } from '../../../local/jsonFile';
import { projectRoot } from '../../../local/projectRoot';
import { pause } from '../../../local/waitUntil';
import { addressesSchema, type Addresses } from './addresses';
import { fingerprintOf } from './fingerprint';
import type { TestRun } from './run';

/** A stack that outlives the runs that use it, as its keeper describes it. */
interface KeptStack {
  /** What the stack was made of: it serves no run that is made of something else. */
  madeOf: string;
  addresses: Addresses;
}

const schema = Joi.object<KeptStack>({ madeOf: Joi.string().required(), addresses: addressesSchema.required() });

const localPath = (name: string): string => join(projectRoot(), process.env.LOCAL_DIR ?? '.local', name);
const keptFile = (): string => localPath('test-stack.json');
/** Claimed by the keeper from before it starts anything. */
const keeperFile = (): string => localPath('test-stack.keeper.json');
/** Claimed by the run that uses the stack. */
const borrowerFile = (): string => localPath('test-stack.borrower.json');

/** Servers that the environment names are part of a stack. */
const environmentVariables = ['DATABASE_URL', 'REDIS_URL', 'TEMPORAL_ADDRESS', 'TEMPORAL_TEST_SERVER', 'CHROMIUM_PATH', 'S3_TEST_SERVER', 'TEST_PGBOUNCER'];

function stackFingerprint(): string {
  return [fingerprintOf('local', 'test/support/stack', 'deploy/pgbouncer', 'package-lock.json'), ...environmentVariables.map((variable) => process.env[variable] ?? '')].join(' ');
}

/** The stack that is kept at this moment and fits this run; undefined when there is none. */
export function keptStack(): Addresses | undefined {
  const kept = lockHolder(keeperFile()) === undefined ? undefined : readJson(keptFile(), schema);
  return kept?.madeOf === stackFingerprint() ? kept.addresses : undefined;
}

/** Whether somebody keeps a stack, or is about to, for any sources. */
export const isKept = (): boolean => lockHolder(keeperFile()) !== undefined;

/** Whether somebody keeps a stack that is up, for any sources. */
export const isAnnounced = (): boolean => isKept() && existsSync(keptFile());

/** For the keeper, before it starts anything: false when another keeps a stack already. */
export function becomeKeeper(run: TestRun): boolean {
  if (!acquireFileLock(keeperFile())) return false;
  run.onEnd(() => releaseFileLock(keeperFile()));
  return true;
}

/** For the keeper: says where its stack is, until its run begins to end. */
export function announceKeptStack(run: TestRun, addresses: Addresses): void {
  run.beforeEnd(() => rmSync(keptFile(), { force: true }));
  writeJson(keptFile(), { madeOf: stackFingerprint(), addresses });
}

/** Whether a run uses the kept stack. */
export const isBorrowed = (): boolean => lockHolder(borrowerFile()) !== undefined;

/** Asks the keeper to end its stack; returns when it has: `none` when nobody keeps one, `in use` when a run has it, which goes on. */
export async function endKeptStack(): Promise<'ended' | 'none' | 'in use'> {
  const keeper = lockHolder(keeperFile());
  if (keeper === undefined) return 'none';
  // A run that holds it cannot begin on a stack that ends.
  if (isAnnounced() && !acquireFileLock(borrowerFile())) return 'in use';
  try {
    process.kill(keeper.pid, 'SIGTERM');
    while (lockHolder(keeperFile())?.pid === keeper.pid) await pause(50);
    return 'ended';
  } finally {
    releaseFileLock(borrowerFile());
  }
}

/**
 * The kept stack, for this run alone until it ends. Undefined where there is none that fits, another run has it, it has too
 * few namespaces, or the run is to have a stack of its own (TEST_STACK_OWN).
 */
export function borrowKeptStack(run: TestRun, workers: number): Addresses | undefined {
  if (process.env.TEST_STACK_OWN !== undefined || !claimIfKept(run)) return undefined;
  // Looked at once it is claimed: from now on nobody ends it.
  const kept = keptStack();
  if (kept !== undefined && kept.workers >= workers) return kept;
  releaseFileLock(borrowerFile());
  return undefined;
}

function claimIfKept(run: TestRun): boolean {
  if (keptStack() === undefined || !acquireFileLock(borrowerFile())) return false;
  run.onEnd(() => releaseFileLock(borrowerFile()));
  return true;
}
