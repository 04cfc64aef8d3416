import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openApiPath } from '../../../../api/http/openapi/describeOperation';
import { publicOperations } from '../../../../api/operations/public';
import { apiFixture } from '../../../support/apiFixture';

const { api } = apiFixture({ institutionPer: 'none', settings: () => ({ publicBaseUrl: 'https://api.institution.test/v1' }) });

/** What the linter says of a document, with its recommended rules. */
async function lint(document: unknown): Promise<unknown> {
  const linter = spawn(process.execPath, [join(__dirname, '../../../support/lintOpenApi.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  linter.stdin.end(JSON.stringify(document));
  return JSON.parse(await text(linter.stdout));
}

it('the public document follows the recommended rules of OpenAPI', async () => {
  expect(await lint(api.served.document)).toEqual([]);
});

it('the platform document follows them too', async () => {
  const { status, body } = await api.platform('GET', '/openapi.json', { key: undefined });
  expect(status).toBe(200);
  expect(await lint(body)).toEqual([]);
});

// Contract: versioning.openapi.served
it('the public document is served without a key, for the public address', async () => {
  const { status, headers, body } = await api.call('GET', '/openapi.json');
  expect([status, headers.get('content-type'), body.openapi]).toEqual([200, 'application/json; charset=utf-8', '3.1.0']);
  expect(body.servers).toEqual([{ url: 'https://api.institution.test/v1' }]);
  expect(headers.get('x-request-id')).toMatch(/^req_/);
});

it.each([
  ['post', '/students', 'student_id is already used by', { existing: { id: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr', login_email: 'student1.9f86d081@north.example' } }],
  ['patch', '/students/{id}', 'student_id is already used by', { existing: { id: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr', login_email: 'student1.9f86d081@north.example' } }],
  ['put', '/institution/config', 'unique_student_ids cannot be turned on', { student_ids: ['SIS-1042', 'SIS-1043'] }],
])('the example of a conflict of %s %s is what it answers, with its fields, and so is that of its page', async (method, path, message, fields) => {
  const operation = api.served.document.paths[path]?.[method];
  const response = operation?.responses['409'];
  const examples: unknown = response?.content?.['application/json'];
  expect(examples).toMatchObject({ examples: { conflict: { value: { success: false, error: 'conflict', message: expect.stringContaining(message), ...fields } } } });
  const page = await (await fetch(`${api.baseUrl}/docs/operations/${operation?.operationId}`)).text();
  expect(page).toContain(message);
});

it('opens the description of each operation with its scope in words', () => {
  for (const { method, path, access } of publicOperations) {
    const description = api.served.document.paths[openApiPath(path)]?.[method.toLowerCase()]?.description;
    const scopes = access.by === 'key' && access.scope !== null ? [access.scope, ...access.besides] : [];
    const inWords = scopes.length === 0 ? 'none; any valid key' : scopes.map((scope) => `\`${scope}\``).join(', and ');
    expect([path, description?.startsWith(`Scope: ${inWords}.`)]).toEqual([path, true]);
  }
});

describe('an example does not contradict itself', () => {
  const exampleOf = (path: string, method: string) => api.served.document.paths[path]?.[method]?.responses['200']?.content?.['application/json']?.example as { data: Record<string, never> };

  it('a bulk call answers as many results as it counts', () => {
    const { created, failed, results } = exampleOf('/students/bulk', 'post').data as unknown as { created: number; failed: number; results: object[] };
    expect([created, failed]).toEqual([results.filter((one) => 'id' in one).length, results.filter((one) => 'error' in one).length]);
    expect(results).toHaveLength(2);
  });

  it('a replayed delivery is about to be sent', () => {
    expect(exampleOf('/webhooks/deliveries/{id}/replay', 'post').data).toMatchObject({ status: 'pending', delivered_at: null, applied: true });
  });

  it('an event of the type exam.graded has its data', () => {
    const { payload } = exampleOf('/webhooks/deliveries/{id}', 'get').data as unknown as { payload: { type: string; data: object } };
    expect([payload.type, Object.keys(payload.data)]).toEqual(['exam.graded', ['submission_id', 'exam_id', 'student_id', 'score', 'max_score', 'resubmission_required']]);
  });
});

it('documents the events of a new webhook endpoint as required, at least one', () => {
  const schema = api.served.document.paths['/webhooks/endpoints']?.post?.requestBody?.content['application/json']?.schema;
  expect(schema).toMatchObject({ required: ['url', 'events'], properties: { events: { minItems: 1 } } });
});

describe('event types to choose from are documented as those that the API takes', () => {
  const documented = (path: string, name: string): unknown[] => {
    const schema = (api.served.document.paths[path]?.get?.parameters ?? []).find((parameter) => parameter.name === name)?.schema;
    return schema?.enum ?? [];
  };

  it('by the feed', async () => {
    const { apiKey: key } = await api.institution();
    const choices = documented('/events', 'type');
    expect(choices).toEqual(expect.arrayContaining(['*', 'exam.*', 'exam.graded', 'ping']));
    for (const type of choices) expect([type, (await api.call('GET', '/events', { key, query: { type: String(type) } })).status]).toEqual([type, 200]);
  });

  it('by webhook endpoints', async () => {
    const { apiKey: key } = await api.institution();
    const { properties } = api.served.document.paths['/webhooks/endpoints']?.post?.requestBody?.content['application/json']?.schema ?? {};
    const items = properties?.events?.items;
    const choices = items === undefined || items === false ? undefined : items.enum;
    expect(choices).toEqual(documented('/events', 'type'));
    const { status, data } = await api.call('POST', '/webhooks/endpoints', { key, body: { url: 'https://hooks.example.org/in', events: choices } });
    expect([status, data?.events]).toEqual([200, choices]);
  });
});

it('documents that an upload has no part but those named, and a file that is not empty', () => {
  const uploads = publicOperations.filter(({ request }) => request.upload !== undefined);
  expect(uploads).not.toEqual([]);
  for (const { method, path } of uploads) {
    const schema = api.served.document.paths[openApiPath(path)]?.[method.toLowerCase()]?.requestBody?.content['multipart/form-data']?.schema;
    expect([path, schema?.additionalProperties, schema?.properties?.file?.minLength]).toEqual([path, false, 1]);
  }
});

it('names the scope that each operation requires', async () => {
  const said = publicOperations.map(({ method, path, access }) => [
    `${method} ${path}`,
    access.by === 'key' ? (access.scope ?? undefined) : undefined,
  ]);
  const served = publicOperations.map(({ method, path }) => [
    `${method} ${path}`,
    api.served.document.paths[openApiPath(path)]?.[method.toLowerCase()]?.['x-required-scope'],
  ]);
  expect(served).toEqual(said);
});
