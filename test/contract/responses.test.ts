import { publicOperations } from '../../api/operations/public';
import { base64 } from '../support/codingExams';
import { keyForRecord, pathOf } from '../support/operations';
import { pathParameterKinds, createResource, type ResourceKind } from '../support/resourceFactories';
import { apiFixture } from '../support/apiFixture';

// What the specification says of all answers, held against every read of an institution that has something of each kind.

const kinds: ResourceKind[] = ['student', 'faculty', 'group', 'license', 'exam', 'submission', 'endpoint', 'delivery'];

const { api, institution } = apiFixture({ institutionPer: 'file' });
/** The whole answers of every read, as text, by the operation. */
let answers: Map<string, string>;

beforeAll(async () => {
  const ids: Partial<Record<ResourceKind, string>> = {};
  for (const kind of kinds) ids[kind] = await createResource[kind](api, institution);
  await api.call('PATCH', `/students/${ids.student ?? ''}`, { key: institution.apiKey, body: { personal_email: 'planted.in.answers@private.example.org' } });
  await api.call('PUT', `/exams/${ids.exam ?? ''}/code-secret`, { key: institution.apiKey, body: { hidden_key_b64: base64(32, 77) } });
  await api.call('PATCH', `/exams/${ids.exam ?? ''}`, { key: institution.apiKey, body: { due_date: '2099-01-01T01:30:00+01:30' } });
  await api.call('POST', `/students/${ids.student ?? ''}/export`, { key: institution.apiKey });
  const erased: Partial<Record<ResourceKind, string>> = {};
  for (const kind of ['student', 'faculty'] as const) {
    const id = await createResource[kind](api, institution);
    await api.call('POST', `/${kind === 'student' ? 'students' : 'faculty'}/${id}/erase`, { key: institution.apiKey });
    erased[kind] = id;
  }
  answers = new Map(await readEverything(ids, erased));
});

/** Every read of what these ids name; the erasures are of people who were erased. */
async function readEverything(ids: Partial<Record<ResourceKind, string>>, erased: Partial<Record<ResourceKind, string>>): Promise<[string, string][]> {
  const asked = publicOperations.filter(({ method, path }) => method === 'GET' && pathParameterKinds(path).every(([, kind]) => kind !== undefined && ids[kind] !== undefined));
  const read: [string, string][] = [];
  for (const record of asked) {
    const { path } = record;
    const key = await keyForRecord(api, institution, record);
    const params = Object.fromEntries(pathParameterKinds(path).flatMap(([parameter, kind]) => (kind === undefined ? [] : [[parameter, (path.endsWith('/erasure') ? erased : ids)[kind] ?? '']])));
    const response = await fetch(api.baseUrl + pathOf(path, params), { headers: { authorization: `Bearer ${key}` } });
    expect([path, response.status]).toEqual([path, 200]);
    read.push([path, `${await response.text()}\n${[...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')}`]);
  }
  return read;
}

const bodyOf = (answer: string): string => answer.slice(0, answer.lastIndexOf('\n', answer.indexOf('\ncache-control')));

// Contract: responses.timestamps.iso-utc
it('every moment that is answered is ISO 8601 in UTC, with milliseconds', () => {
  const moments = [...answers].flatMap(([path, answer]) => [...answer.matchAll(/\d{4}-\d\d-\d\d[T ]\d\d:[^",\s\\]*/g)].map(([moment]) => [path, moment]));
  expect(moments.length).toBeGreaterThan(50);
  expect(moments.filter(([, moment = '']) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(moment))).toEqual([]);
  expect(answers.get('/exams/:id')).toContain('"due_date":"2099-01-01T00:00:00.000Z"');
});

// Contract: responses.timestamps.iso-utc
it('every field named as a moment is one, or null', () => {
  const named = /"(?:\w+_at|due_date)":(?!null|"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"|\{)([^,}]*)/g;
  expect([...answers].flatMap(([path, answer]) => [...answer.matchAll(named)].map(([found]) => [path, found]))).toEqual([]);
});

// Contract: responses.success.envelope
it('every answer in JSON is success true and an object of data, and nothing else', () => {
  const inJson = [...answers].filter(([, answer]) => answer.includes('content-type: application/json'));
  expect(answers.size - inJson.length).toBe(1);
  for (const [path, answer] of inJson) {
    const body: { success: unknown; data: unknown } = JSON.parse(bodyOf(answer));
    expect([path, Object.keys(body).sort(), body.success, Array.isArray(body.data), typeof body.data]).toEqual([path, ['data', 'success'], true, false, 'object']);
  }
});

// Contract: privacy.license-key.never-returned, privacy.encrypted-profile.never-returned
it('nothing that is kept sealed, and no hash, stands in any answer', async () => {
  const { sql } = api.api.domain.database;
  const columns = await sql<{ held_in: string; name: string }>(
    `SELECT format('%I', table_name) AS held_in, format('%I', column_name) AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND (column_name LIKE '%sealed' OR column_name LIKE '%hash' OR column_name LIKE '%hmac' OR data_type = 'bytea')`,
  );
  const kept = new Set<string>();
  for (const { held_in: table, name } of columns) {
    const rows = await sql<{ value: string | null }>(`SELECT ${name}::text AS value FROM ${table}`);
    for (const { value } of rows) if (value !== null) kept.add(value.replace(/^\\x/, ''));
  }
  // A personal email, the key of hidden tests, a webhook secret and the hash of an API key, at least.
  expect(kept.size).toBeGreaterThan(4);
  for (const [path, answer] of answers) {
    expect([path, [...kept].filter((value) => answer.includes(value))]).toEqual([path, []]);
    expect([path, /"\w*(sealed|license_key|encrypted)\w*":/.exec(answer)]).toEqual([path, null]);
  }
});

// Contract: auth.session.none
it('no answer sets a cookie, and none is taken in place of a key', async () => {
  for (const [path, answer] of answers) expect([path, /^set-cookie/m.test(answer)]).toEqual([path, false]);
  for (const cookie of [`session=${institution.apiKey}`, `api_key=${institution.apiKey}`, `authorization=Bearer ${institution.apiKey}`]) {
    expect((await api.call('GET', '/me', { headers: { cookie } })).body.error).toBe('unauthorized');
  }
});

// Contract: environment.sandbox.none
it('there is no sandbox: what a key creates is there at once, and every key is of the environment live', async () => {
  const { data: key } = await api.call('GET', '/me', { key: institution.apiKey });
  const { data: made } = await api.call('POST', '/students', { key: institution.apiKey, body: {} });
  const other = await api.keyFor(institution, ['students:read']);
  expect([key.environment, (await api.call('GET', `/students/${made.id}`, { key: other })).data.id]).toEqual(['live', made.id]);
});

// Contract: privacy.webhooks.ids-and-outcomes-only
it('events carry ids and outcomes: single values of fields that name no text, file or person', async () => {
  const { data } = await api.call('GET', '/events/types', { key: institution.apiKey });
  for (const { type, data_schema } of data.items) {
    for (const [name, schema] of Object.entries<{ type?: string | string[]; items?: { type?: string } }>(data_schema.properties)) {
      const types = [schema.type].flat().filter((one) => one !== 'null');
      const isList = types.length === 1 && types[0] === 'array' && schema.items?.type === 'string' && name === 'changed';
      expect([type, name, isList || types.every((one) => ['string', 'integer', 'number', 'boolean'].includes(String(one)))]).toEqual([type, name, true]);
      expect([type, name]).not.toEqual([type, expect.stringMatching(/text|content|feedback|attachment|title|description|full_name|personal|guardian_email|secret|url/)]);
    }
  }
});

// Contract: versioning.idempotency-key.not-yet
it('without an Idempotency-Key, which the specification announces, a call that is sent twice is done twice', async () => {
  const send = () => api.call('POST', '/students', { key: institution.apiKey, body: {} });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status, first.data.id === second.data.id]).toEqual([200, 200, false]);
});
