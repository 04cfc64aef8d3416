import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import type { BenchEnvironment } from '../environment';
import type { FilledInstitution } from './fill';

/** What a later run needs to know of tables that were filled. */
export interface KeptInstitution {
  filled: FilledInstitution;
  students: number;
}

const keptSchema = Joi.object<KeptInstitution, true>({
  filled: Joi.object<FilledInstitution, true>({
    institution: Joi.object({ id: Joi.string().required(), loginDomain: Joi.string().required(), keys: Joi.array().items(Joi.string()).required() }).required(),
    groupId: Joi.string().required(),
    history: Joi.object({ from: Joi.date().required(), stepMs: Joi.number().required() }).required(),
  }).required(),
  students: Joi.number().integer().required(),
});

const fileIn = (folder: string): string => join(folder, 'filled.json');

/** Remembers the institution in the folder of kept stores; its API keys are of these stores alone. */
export function keepFilled({ keptFolder }: BenchEnvironment, kept: KeptInstitution): void {
  if (keptFolder !== null) writeFileSync(fileIn(keptFolder), JSON.stringify(kept));
}

/** Returns the institution that an earlier run has filled; null if there is none. */
export function readFilled({ keptFolder }: BenchEnvironment): KeptInstitution | null {
  if (keptFolder === null || !existsSync(fileIn(keptFolder))) return null;
  const checked = keptSchema.validate(JSON.parse(readFileSync(fileIn(keptFolder), 'utf8')));
  if (checked.error) throw checked.error;
  return checked.value;
}
