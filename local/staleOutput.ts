import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const compiled = /\.js(\.map)?$/;

/**
 * Removes the compiled files of a folder whose sources are gone, and returns their paths: the compiler leaves them, and
 * what reads a folder would load them.
 */
export function removeStaleOutput(output: string, sources: string): string[] {
  return readdirSync(output, { withFileTypes: true }).flatMap((entry) => {
    const path = join(output, entry.name);
    if (entry.isDirectory()) return removeStaleOutput(path, join(sources, entry.name));
    if (!compiled.test(entry.name) || existsSync(join(sources, entry.name.replace(compiled, '.ts')))) return [];
    rmSync(path);
    return [path];
  });
}
