import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Joi, { type ObjectSchema } from 'joi';
import { InstitutionError } from '../clients/typescript/src';
import { requestData, send } from '../clients/typescript/src/request';
import { readJson, writeJson } from './jsonFile';

/** The demo institution and its keys, the same at every start. */
export interface Demo {
  institution_id: string;
  api_key: string;
  /** A key of its sandbox. */
  test_key: string;
  /** The personal token of somebody who signs in to the support console. */
  console_token: string;
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

/** Earlier releases kept no test key, and none for the console. */
type StoredDemo = Omit<Demo, 'test_key' | 'console_token'> & Partial<Pick<Demo, 'test_key' | 'console_token'>>;

const demoSchema = Joi.object<StoredDemo>({ institution_id: Joi.string().required(), api_key: Joi.string().required(), test_key: Joi.string(), console_token: Joi.string() });
const institutionSchema = Joi.object<{ id: string }>({ id: Joi.string().required() }).unknown();
const staffSchema = Joi.object<{ id: string }>({ id: Joi.string().required() }).unknown();
const tokenSchema = Joi.object<{ staff_token: string }>({ staff_token: Joi.string().required() }).unknown();
const keySchema = Joi.object<{ api_key: string }>({ api_key: Joi.string().required() }).unknown();
const requestTimeoutMs = 10_000;
const ok = 200;
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
  // A sandbox that is being reset refuses its keys for a while.
  return status === ok || status === conflict;
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

/** Creates a key with every scope, of the institution or of its sandbox. */
async function createKey(target: DemoTarget, institutionId: string, name: string, environment: 'live' | 'test'): Promise<string> {
  const key = await post(target, `/institutions/${institutionId}/keys`, { name, scopes, rate_limit_per_min: 6000, environment }, keySchema);
  return key.api_key;
}

async function createDemo(target: DemoTarget, file: string): Promise<StoredDemo> {
  const institution = await createInstitution(target, 'demo-academy.example').catch((error: unknown) => {
    // The domain is taken when demo.json was lost: the old institution's key cannot be shown again.
    if (!(error instanceof InstitutionError) || error.status !== conflict) throw error;
    return createInstitution(target, `demo-${randomBytes(3).toString('hex')}.example`);
  });
  await post(target, `/institutions/${institution.id}/approve`, {}, Joi.object().unknown());
  const demo = { institution_id: institution.id, api_key: await createKey(target, institution.id, 'Demo key', 'live') };
  writeJson(file, demo);
  return demo;
}

async function isConsoleTokenValid(platformUrl: string, token: string): Promise<boolean> {
  const { status } = await send({ method: 'GET', url: `${platformUrl}/institutions?limit=1`, token }, AbortSignal.timeout(requestTimeoutMs));
  return status === ok;
}

/** Adds a person to the staff, and creates their token for the console. */
async function createConsoleToken(target: DemoTarget): Promise<string> {
  const person = await post(target, '/staff', { name: 'Demo Support', email: `support-${randomBytes(3).toString('hex')}@platform.example`, role: 'operator' }, staffSchema);
  return (await post(target, `/staff/${person.id}/tokens`, { name: 'Local stack', expires_in_days: 365 }, tokenSchema)).staff_token;
}

/** Returns the demo institution of this LOCAL_DIR; creates it through the platform API if there is none, or its key is not valid, and its test key and the console's token likewise. */
export async function ensureDemo(target: DemoTarget): Promise<Demo> {
  const file = join(target.localDir, 'demo.json');
  const existing = readJson(file, demoSchema);
  const stored = existing !== undefined && await isKeyValid(target.apiUrl, existing.api_key) ? existing : await createDemo(target, file);
  const { institution_id, api_key, test_key, console_token } = stored;
  const demo = {
    institution_id,
    api_key,
    test_key: test_key !== undefined && await isKeyValid(target.apiUrl, test_key) ? test_key : await createKey(target, institution_id, 'Demo test key', 'test'),
    console_token: console_token !== undefined && await isConsoleTokenValid(target.platformUrl, console_token) ? console_token : await createConsoleToken(target),
  };
  writeJson(file, demo);
  return demo;
}
