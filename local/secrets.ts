import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import { readJson, writeJson } from './jsonFile';

/** Made once and kept, because the data depends on them. */
export interface Secrets {
  master_keys: string;
  /** Of 0.9.0 and earlier, whose data they open; absent in a newer LOCAL_DIR. */
  encryption_keys?: string;
  fingerprint_key?: string;
  platform_token: string;
  postgres_password: string;
  /** Of the role as which API and worker sign in. */
  service_password: string;
}

const schema = Joi.object<Partial<Secrets>>({
  master_keys: Joi.string(),
  encryption_keys: Joi.string(),
  fingerprint_key: Joi.string(),
  platform_token: Joi.string(),
  postgres_password: Joi.string(),
  service_password: Joi.string(),
});

/** The secrets of this LOCAL_DIR, made when missing. Throws when data is there whose secrets are lost. */
export function ensureSecrets(localDir: string): Secrets {
  const file = join(localDir, 'secrets.json');
  const existing = readJson(file, schema);
  if (existing === undefined && existsSync(join(localDir, 'postgres'))) {
    throw new Error(`${file} is missing or broken, and the data in this folder cannot be read without it: "npm run reset" starts with new data`);
  }
  const secrets: Secrets = {
    master_keys: `local-1:${randomBytes(32).toString('base64')}`,
    platform_token: randomBytes(32).toString('hex'),
    postgres_password: randomBytes(16).toString('hex'),
    service_password: randomBytes(16).toString('hex'),
    ...existing,
  };
  writeJson(file, secrets);
  return secrets;
}
