import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Joi, { type ObjectSchema } from 'joi';
import { InstitutionError } from '../clients/typescript/src';
import { requestData, send } from '../clients/typescript/src/request';
import { readJson, writeJson } from './jsonFile';

/** The demo institution and its key, the same at every start. */
export interface Demo {
  institution_id: string;
  api_key: string;
}

export interface DemoTarget {
  localDir: string;
  /** The public API; ends with /v1. */
  apiUrl: string;
  /** Ends with /platform/v1. */
  platformUrl: string;
  platformToken: string;
}

const scopes = [
  'students', 'faculty', 'groups', 'licenses', 'exams', 'submissions',
  'coupons', 'merits', 'guardians', 'alpha', 'institution', 'webhooks',
].map((subject) => `${subject}:write`);

const demoSchema = Joi.object<Demo>({ institution_id: Joi.string().required(), api_key: Joi.string().required() });
const institutionSchema = Joi.object<{ id: string }>({ id: Joi.string().required() }).unknown();
const keySchema = Joi.object<{ api_key: string }>({ api_key: Joi.string().required() }).unknown();
const requestTimeoutMs = 10_000;
const conflict = 409;

/** Calls the platform API, and returns its `data` as the schema has it. */
async function post<T>({ platformUrl, platformToken }: DemoTarget, path: string, body: object, data: ObjectSchema<T>): Promise<T> {
  const request = { method: 'POST', url: platformUrl + path, token: platformToken, body };
  const result = data.validate(await requestData(`POST ${path}`, request, { tries: 1, answerWithinMs: requestTimeoutMs, deadlineMs: requestTimeoutMs }));
  if (result.error !== undefined) throw new Error(`POST ${path}: ${result.error.message}`);
  return result.value;
}

async function isKeyValid(apiUrl: string, apiKey: string): Promise<boolean> {
  const { status } = await send({ method: 'GET', url: `${apiUrl}/me`, token: apiKey }, AbortSignal.timeout(requestTimeoutMs));
  return status === 200;
}

function createInstitution(target: DemoTarget, loginDomain: string): Promise<{ id: string }> {
  return post(target, '/institutions', {
    name: 'Demo Academy',
    login_domain: loginDomain,
    admin_email: `admin@${loginDomain}`,
    admin_name: 'Demo Admin',
    time_zone: 'Europe/Berlin',
    // For the credits of the guides.
    allowance_cents: 500_000,
  }, institutionSchema);
}

async function createDemo(target: DemoTarget): Promise<Demo> {
  const institution = await createInstitution(target, 'demo-academy.example').catch((error: unknown) => {
    // The domain is taken when demo.json was lost: the old institution's key cannot be shown again.
    if (!(error instanceof InstitutionError) || error.status !== conflict) throw error;
    return createInstitution(target, `demo-${randomBytes(3).toString('hex')}.example`);
  });
  await post(target, `/institutions/${institution.id}/approve`, {}, Joi.object().unknown());
  const key = await post(target, `/institutions/${institution.id}/keys`, {
    name: 'Demo key', scopes, rate_limit_per_min: 6000,
  }, keySchema);
  return { institution_id: institution.id, api_key: key.api_key };
}

/** Returns the demo institution of this LOCAL_DIR; creates it through the platform API if there is none, or its key is not valid. */
export async function ensureDemo(target: DemoTarget): Promise<Demo> {
  const file = join(target.localDir, 'demo.json');
  const existing = readJson(file, demoSchema);
  if (existing !== undefined && await isKeyValid(target.apiUrl, existing.api_key)) return existing;
  const demo = await createDemo(target);
  writeJson(file, demo);
  return demo;
}
