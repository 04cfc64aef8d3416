import type { JsonSchema } from '../../api/http/openapi/jsonSchema';
import { readDocument } from '../support/documents';
import { fetchServedDocument, type ServedDocument, type ServedOperation } from '../support/servedDocument';
import { apiFixture } from '../support/apiFixture';

// What the specification says of every operation, held against the documents as they are served.

const { api } = apiFixture({ institutionPer: 'none' });
let platform: ServedDocument;

beforeAll(async () => {
  platform = await fetchServedDocument(api.platformUrl);
});

const operationsOf = ({ document }: ServedDocument): [name: string, operation: ServedOperation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, ServedOperation] => [`${method.toUpperCase()} ${path}`, operation]),
  );

/** The JSON schema of an answer, looked up where it is a component; undefined where the answer is a file. */
function answerSchema({ document, resolve }: ServedDocument, operation: ServedOperation, status: string): JsonSchema | undefined {
  const answer = operation.responses[status];
  if (answer === undefined) throw new Error(`${operation.operationId} does not document ${status}`);
  const components = document.components.responses as Record<string, typeof answer>;
  const described = answer.$ref === undefined ? answer : components[answer.$ref.slice('#/components/responses/'.length)];
  const schema = described?.content?.['application/json']?.schema;
  return schema?.$ref === undefined ? schema : resolve(schema.$ref);
}

/** The names of every parameter and every field of every body, however deep. */
function namesSent(operation: ServedOperation, { resolve }: ServedDocument): string[] {
  const fields = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { $ref, properties, ...rest }: { $ref?: unknown; properties?: unknown } = value;
    const own = Object.entries(Object(properties) as object).flatMap(([name, schema]) => [name, ...fields(schema)]);
    return [...own, ...(typeof $ref === 'string' ? fields(resolve($ref)) : []), ...Object.values(rest).flatMap(fields)];
  };
  const bodies = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => fields(schema));
  return [...(operation.parameters ?? []).map(({ name }) => name), ...bodies];
}

// Contract: operations.success.status-200
it('success is documented as status 200 for every operation, and as no other', () => {
  for (const [name, { responses }] of operationsOf(api.served)) {
    expect([name, Object.keys(responses).filter((status) => status < '400')]).toEqual([name, ['200']]);
  }
});

// Contract: responses.success.envelope
it('every success that is no file is an object under data, with success true', () => {
  const answers = operationsOf(api.served).map(([name, operation]) => [name, answerSchema(api.served, operation, '200')] as const);
  const inJson = answers.filter(([, schema]) => schema !== undefined);
  expect(answers.length - inJson.length).toBe(1);
  for (const [name, schema] of inJson) {
    const { data, success } = schema?.properties ?? {};
    const object = data?.$ref === undefined ? data : api.served.resolve(data.$ref);
    expect([name, schema?.required, success?.const ?? success?.enum?.[0], object?.type]).toEqual([name, expect.arrayContaining(['success', 'data']), true, 'object']);
  }
});

// Contract: responses.error.envelope, operations.errors.documented, errors.body.shape
it('every operation documents 401, 403, 422 and 429, and every error in the one shape', () => {
  for (const [name, operation] of operationsOf(api.served)) {
    const errorStatuses = Object.keys(operation.responses).filter((status) => status >= '400');
    expect([name, errorStatuses]).toEqual([name, expect.arrayContaining(['401', '403', '422', '429'])]);
    for (const status of errorStatuses) {
      const { required, properties = {} } = answerSchema(api.served, operation, status) ?? {};
      expect([name, status, required]).toEqual([name, status, expect.arrayContaining(['success', 'error', 'message'])]);
      expect([properties.success?.const ?? properties.success?.enum?.[0], properties.error?.type, properties.message?.type]).toEqual([false, 'string', 'string']);
    }
  }
});

// Contract: requests.institution-id.never-accepted
it('no operation takes an institution id, in path, query or body', () => {
  const all = operationsOf(api.served);
  expect(new Set(all.flatMap(([, operation]) => namesSent(operation, api.served)))).toContain('default_proctoring');
  for (const [name, operation] of all) expect([name, namesSent(operation, api.served).filter((field) => field.includes('institution'))]).toEqual([name, []]);
});

// Contract: sign-in.codes.no-passwords
it('nobody signs in with a password: no operation of either API takes one, a session is opened by a code', () => {
  for (const served of [api.served, platform]) {
    for (const [name, operation] of operationsOf(served)) expect([name, namesSent(operation, served).filter((field) => /pass(word|phrase)/.test(field))]).toEqual([name, []]);
  }
  const [, signIn] = operationsOf(platform).find(([name]) => name === 'POST /sign-in/sessions') ?? [];
  expect(signIn && namesSent(signIn, platform)).toEqual(expect.arrayContaining(['login_email', 'code']));
});

// Contract: versioning.idempotency-key.not-yet
it('an Idempotency-Key, which the specification announces, is a header of every write, and never required', () => {
  const keyed = operationsOf(api.served).map(([name, { parameters = [] }]) => [name, parameters.find((parameter) => parameter.name === 'Idempotency-Key')?.required]);
  expect(keyed).toEqual(keyed.map(([name]) => [name, String(name).startsWith('GET ') ? undefined : false]));
});

// Contract: versioning.change-log.dated
it('the change log is dated, the newest first, and begins with the version of the document', () => {
  const headings = readDocument('CHANGELOG.md').split('\n').filter((line) => line.startsWith('## '));
  const dates = headings.map((heading) => / – (\d{4}-\d\d-\d\d)$/.exec(heading)?.[1]);
  expect(headings.length).toBeGreaterThan(1);
  expect(dates).not.toContain(undefined);
  expect(dates).toEqual([...dates].sort().reverse());
  expect(dates[0]).toBe(api.served.document.info.version);
});
