import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { ObjectSchema } from 'joi';

/** The file's content; undefined when it is missing or is not what the schema says. */
export function readJson<T>(file: string, schema: ObjectSchema<T>): T | undefined {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
  const read = schema.validate(content);
  return read.error === undefined ? read.value : undefined;
}

/** Replaces the file in one step, readable by its owner alone. */
export function writeJson(file: string, content: object): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
