import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Operation } from '../http/operation';

const load = createRequire(__filename);

/** Returns the operation files of a folder; the one named like the folder comes first. */
function recordFiles(folder: string): string[] {
  const files = readdirSync(join(__dirname, folder)).filter((name) => /\.operations\.(js|ts)$/.test(name));
  const isOwn = (name: string): boolean => name.startsWith(`${folder}.operations.`);
  return files.sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)) || one.localeCompare(other)).map((name) => join(__dirname, folder, name));
}

function recordsIn(file: string): Operation[] {
  const exported: unknown = load(file);
  const values: unknown[] = typeof exported === 'object' && exported !== null ? Object.values(exported) : [];
  return values.flat().filter((value) => value instanceof Operation);
}

const folders = readdirSync(__dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();

/** Returns every operation that a file `<folder>/*.operations.ts` exports: no other list needs a change for a new one. */
export const allOperations: readonly Operation[] = [...new Set(folders.flatMap(recordFiles).flatMap(recordsIn))];
