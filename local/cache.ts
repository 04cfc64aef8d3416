import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { acquireFileLock, releaseFileLock } from './fileLock';
import { identify } from './processIdentity';
import { pause } from './waitUntil';

/** An artifact of the cache, and how it is made. */
export interface CachedArtifact {
  /** File name in the cache; names the version too. */
  name: string;
  /** Makes the file or folder at `target`, which does not exist yet. If it throws, what it left there is removed. */
  make: (target: string) => Promise<void>;
  /** Called before waiting for another process that makes the same artifact. */
  onWait?: () => void;
}

const pollIntervalMs = 500;

/** Returns the cache folder. It is outside the checkout, so that a second checkout finds what the first one built. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const base = environment.XDG_CACHE_HOME;
  return join(base === undefined || base === '' ? join(homedir(), '.cache') : base, 'institution-api');
}

/** Waits for the lock, or until another process has made the artifact; returns whether this process holds the lock. */
async function acquire(lock: string, artifactPath: string, artifact: CachedArtifact): Promise<boolean> {
  let waited = false;
  while (!existsSync(artifactPath)) {
    if (acquireFileLock(lock)) return true;
    if (!waited) artifact.onWait?.();
    waited = true;
    await pause(pollIntervalMs);
  }
  return false;
}

/** Removes the drafts of processes that were killed. */
function removeDrafts(folder: string, name: string): void {
  const prefix = `${name}.draft-`;
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith(prefix)) continue;
    const makerPid = Number.parseInt(entry.slice(prefix.length), 10);
    if (identify(makerPid) === undefined) rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

/** Moves the draft to its place; does nothing if another process was first. */
function publishDraft(draft: string, artifactPath: string): void {
  try {
    renameSync(draft, artifactPath);
  } catch (error) {
    if (!existsSync(artifactPath)) throw error;
  }
}

/**
 * Returns the path of an artifact in the cache, and makes it first if it is missing. It is made under another name and
 * renamed, so it is never incomplete. Processes that need the same artifact at the same time wait for the first.
 */
export async function ensureCached(folder: string, artifact: CachedArtifact): Promise<string> {
  const artifactPath = join(folder, artifact.name);
  if (existsSync(artifactPath)) return artifactPath;
  mkdirSync(folder, { recursive: true });
  const lock = `${artifactPath}.lock`;
  if (!(await acquire(lock, artifactPath, artifact))) return artifactPath;
  const draft = `${artifactPath}.draft-${process.pid}-${Date.now()}`;
  try {
    if (existsSync(artifactPath)) return artifactPath;
    removeDrafts(folder, artifact.name);
    await artifact.make(draft);
    publishDraft(draft, artifactPath);
    return artifactPath;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    releaseFileLock(lock);
  }
}
