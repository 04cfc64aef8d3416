import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { acquireFileLock, releaseFileLock } from './fileLock';
import { identify } from './processIdentity';
import { pause } from './waitUntil';

/** How something that the cache lacks is made. */
export interface CachedArtifact {
  /** File name in the cache; names the version too. */
  name: string;
  /** Makes the file or folder at that path, which does not exist yet; what it leaves there when it throws is removed. */
  make: (target: string) => Promise<void>;
  /** Called when another process makes the same thing, and is waited for. */
  onWait?: () => void;
}

const pollIntervalMs = 500;

/** Outside the checkout, so that a second checkout finds what the first one built. */
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

/** Removes what makers that were killed left half done. */
function removeDrafts(folder: string, name: string): void {
  const prefix = `${name}.draft-`;
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith(prefix)) continue;
    const makerPid = Number.parseInt(entry.slice(prefix.length), 10);
    if (identify(makerPid) === undefined) rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

/** Puts the draft in its place; someone else's, which came first, is as good. */
function publishDraft(draft: string, artifactPath: string): void {
  try {
    renameSync(draft, artifactPath);
  } catch (error) {
    if (!existsSync(artifactPath)) throw error;
  }
}

/**
 * The path of the thing in the cache, made first when it is missing. It appears there whole or not at all: it is
 * made under another name and renamed. Processes that want the same thing at once wait for the first.
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
