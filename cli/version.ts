import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textOf } from './fields';

/** The version of the package that this runs from, compiled or not. */
export function versionOf(folder = __dirname): string {
  const text = read(join(folder, 'package.json'));
  return text === undefined ? versionOf(dirname(folder)) : textOf(JSON.parse(text), 'version');
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
