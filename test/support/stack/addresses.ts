import Joi from 'joi';
import type { FoundChromium } from './chromium';
import type { FoundS3Server } from '../../../local/programs/s3Server';

/** What the run's set-up has started, as the workers find it in their environment. */
export interface Addresses {
  /** A database of the cluster from which others can be made and dropped. */
  adminDatabaseUrl: string;
  templateDatabase: string;
  /** The port of the PgBouncer through which the service reaches its database; null if it reaches Postgres itself. */
  pgbouncerPort: number | null;
  /** How many workers have a Temporal namespace. */
  workers: number;
  redisUrl: string;
  temporalAddress: string;
  temporalNamespacePrefix: string;
  timeSkippingServer: string;
  masterKeys: string;
  platformToken: string;
  chromium: FoundChromium;
  s3Server: FoundS3Server;
  /** For files of this run; removed after it. */
  folder: string;
}

const variable = 'TEST_STACK';

const foundProgram = Joi.object({ path: Joi.string().required().allow(null), missing: Joi.string().required().allow('') });

/** What is published, as a file may keep it too. */
export const addressesSchema = Joi.object<Addresses>({
  adminDatabaseUrl: Joi.string().required(),
  templateDatabase: Joi.string().required(),
  pgbouncerPort: Joi.number().required().allow(null),
  workers: Joi.number().required(),
  redisUrl: Joi.string().required(),
  temporalAddress: Joi.string().required(),
  temporalNamespacePrefix: Joi.string().required(),
  timeSkippingServer: Joi.string().required(),
  masterKeys: Joi.string().required(),
  platformToken: Joi.string().required(),
  chromium: foundProgram.required(),
  s3Server: foundProgram.required(),
  folder: Joi.string().required(),
});

/** Hands the addresses to the workers that are started from now on. */
export function publishAddresses(addresses: Addresses): void {
  process.env[variable] = JSON.stringify(addresses);
}

/** Throws when the run's set-up has not published them. */
export function publishedAddresses(): Addresses {
  const published = process.env[variable];
  if (published === undefined) throw new Error('The test stack is not up: run the tests with Jest from the project root');
  const { value, error } = addressesSchema.validate(JSON.parse(published));
  if (error !== undefined) throw error;
  return value;
}

/** The number of this Jest worker, from 1. */
export const workerNumber = (): number => Number(process.env.JEST_WORKER_ID ?? '1');
