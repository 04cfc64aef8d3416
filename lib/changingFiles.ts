import { readFileSync, statSync } from 'node:fs';

/** How files are looked at again. */
export interface ChangingFilesOptions {
  /** The least time between two looks, in ms. */
  checkEveryMs: number;
  /** Called when they can no longer be used: once for each reason, until they can be again. */
  onError: (error: Error) => void;
}

/** Changes with the content of a file, also where a link points to another file, as Kubernetes does with secrets. */
function versionOf(path: string): string {
  const { ino, mtimeMs, size } = statSync(path);
  return `${ino}.${mtimeMs}.${size}`;
}

/**
 * Returns a function that returns what files contain now, as `parse` reads it; the same object until one of them changes. While
 * they cannot be read, or `parse` refuses them, it returns the value before. Throws if that happens at the first look.
 */
export function valueOfFiles<Value>(paths: readonly string[], parse: (contents: readonly Buffer[]) => Value, { checkEveryMs, onError }: ChangingFilesOptions): () => Value {
  const read = () => ({ version: paths.map(versionOf).join(), value: parse(paths.map((path) => readFileSync(path))) });
  let last = read();
  let lookedAt = performance.now();
  let reported: string | undefined;
  const look = (): void => {
    try {
      if (paths.map(versionOf).join() !== last.version) last = read();
      reported = undefined;
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      if (reason.message !== reported) onError(reason);
      reported = reason.message;
    }
  };
  return () => {
    const now = performance.now();
    if (now - lookedAt >= checkEveryMs) {
      lookedAt = now;
      look();
    }
    return last.value;
  };
}
