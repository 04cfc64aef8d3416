import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getString } from './fields';

/** Returns the version of the package that this program belongs to, compiled or not. */
export function readVersion(folder = __dirname): string {
  const text = readFileIfExists(join(folder, 'package.json'));
  return text === undefined ? readVersion(dirname(folder)) : getString(JSON.parse(text), 'version');
}

function readFileIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
