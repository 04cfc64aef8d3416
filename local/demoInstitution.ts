import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Joi, { type ObjectSchema } from 'joi';
import { readJson, writeJson } from './jsonFile';

/** The demo institution and its key, the same at every start. */
export interface Demo {
  institution_id: string;
  api_key: string;
}

export interface DemoPlace {
  localDir: string;
  /** Where the public API can be asked, ending with /v1. */
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
const answerWithinMs = 10_000;
const conflict = 409;

class Refused extends Error {
  constructor(readonly status: number, what: string, text: string) {
    super(`${what} answered ${status}: ${text.slice(0, 500)}`);
  }
}

async function post<T>({ platformUrl, platformToken }: DemoPlace, path: string, body: object, data: ObjectSchema<T>): Promise<T> {
  const response = await fetch(`${platformUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platformToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Refused(response.status, `POST ${path}`, text);
  const answer = Joi.object<{ data: T }>({ data: data.required() }).unknown().validate(JSON.parse(text));
  if (answer.error !== undefined) throw new Error(`POST ${path}: ${answer.error.message}`);
  return answer.value.data;
}

async function keyWorks(apiUrl: string, apiKey: string): Promise<boolean> {
  const response = await fetch(`${apiUrl}/me`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(answerWithinMs),
  });
  await response.body?.cancel();
  return response.ok;
}

function createInstitution(place: DemoPlace, loginDomain: string): Promise<{ id: string }> {
  return post(place, '/institutions', {
    name: 'Demo Academy',
    login_domain: loginDomain,
    admin_email: `admin@${loginDomain}`,
    admin_name: 'Demo Admin',
    time_zone: 'Europe/Berlin',
    // So that the credits of the guides find something to draw down.
    allowance_cents: 500_000,
  }, institutionSchema);
}

async function create(place: DemoPlace): Promise<Demo> {
  const institution = await createInstitution(place, 'demo-academy.example').catch((error: unknown) => {
    // The domain is taken when demo.json was lost: the old institution's key cannot be shown again.
    if (!(error instanceof Refused) || error.status !== conflict) throw error;
    return createInstitution(place, `demo-${randomBytes(3).toString('hex')}.example`);
  });
  await post(place, `/institutions/${institution.id}/approve`, {}, Joi.object().unknown());
  const key = await post(place, `/institutions/${institution.id}/keys`, {
    name: 'Demo key', scopes, rate_limit_per_min: 6000,
  }, keySchema);
  return { institution_id: institution.id, api_key: key.api_key };
}

/** The demo institution of this LOCAL_DIR; made through the platform API when there is none, or its key is not valid. */
export async function requireDemo(place: DemoPlace): Promise<Demo> {
  const file = join(place.localDir, 'demo.json');
  const known = readJson(file, demoSchema);
  if (known !== undefined && await keyWorks(place.apiUrl, known.api_key)) return known;
  const demo = await create(place);
  writeJson(file, demo);
  return demo;
}
