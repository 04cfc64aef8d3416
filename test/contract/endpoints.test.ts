import { scopes } from '../../domain/scopes';
import { matchLines } from './lines';
import { isNormative, specification, statements } from './statements';
import { apiFixture } from '../support/apiFixture';

// The tables of endpoints, read from the specification itself: each row that is built, over HTTP.

interface Row {
  name: string;
  /** The name of its statement: `endpoints.list-students`. */
  statement: string;
  method: string;
  path: string;
  /** The scope that the row names or, where it shows `?`, the one that the decisions name; null for any valid key. */
  scope: string | null;
}

/** What is read of an exam with the scope of submissions. */
const resultsOfExams = /^\/exams\/\{id\}\/(attempts|scores|analytics)$/;

/** Where no scope is shown, GET needs the resource's read scope, anything else its write scope. */
function scopeOf(method: string, path: string, shown: string): string | null {
  if (shown === 'none') return null;
  if (shown !== '?') return shown;
  const resource = resultsOfExams.test(path) ? 'submissions' : path.split('/')[1];
  return `${resource ?? ''}:${method === 'GET' ? 'read' : 'write'}`;
}

const rowPattern = /^(?:\| )?(GET|POST|PUT|PATCH|DELETE) \| (\S+) \| (\S+)/;

const rows: Row[] = statements.filter((one) => isNormative(one) && one.name.startsWith('endpoints.')).map(({ name: statement, text }) => {
  const [, method = '', path = '', shown = ''] = rowPattern.exec(text) ?? [];
  return { name: `${method} ${path}`, statement, method, path, scope: scopeOf(method, path, shown) };
});

const { api } = apiFixture({ institutionPer: 'none' });

/** Keys are made once per set of scopes. */
const keys = new Map<string, string>();
async function keyWith(granted: readonly string[]): Promise<string> {
  const name = granted.join(' ');
  const key = keys.get(name) ?? (await api.institution(granted)).apiKey;
  keys.set(name, key);
  return key;
}

const sent = (path: string): string => path.replace(/\{\w+\}/g, 'unknown_id');
const withoutResource = (scope: string): string[] => scopes.map((one) => one.scope).filter((other) => !other.startsWith(`${scope.split(':')[0] ?? ''}:`));

const kebabCase = (operationId = ''): string => operationId.replace(/[A-Z]/g, (email) => `-${email.toLowerCase()}`);

it('each row of the tables of endpoints is a statement of that name, and no other is', () => {
  const written = specification.filter((line) => rowPattern.test(line));
  const { lineOf } = matchLines(specification, statements);
  expect(statements.filter(({ name }) => name.startsWith('endpoints.')).map(({ name }) => lineOf.get(name))).toEqual(written);
  expect(rows.length).toBeGreaterThan(50);
});

// Contract: endpoints.*
// Contract: scopes.institution.read, scopes.institution.write, scopes.students.read, scopes.students.write, scopes.faculty.read, scopes.faculty.write
// Contract: scopes.groups.read, scopes.groups.write, scopes.licenses.read, scopes.licenses.write, scopes.exams.read, scopes.exams.write
// Contract: scopes.submissions.read, scopes.submissions.write, scopes.coupons.read, scopes.coupons.write, scopes.merits.read, scopes.merits.write
// Contract: scopes.guardians.read, scopes.guardians.write, scopes.alpha.read, scopes.alpha.write, scopes.webhooks.read, scopes.webhooks.write
describe.each(rows)('$name', ({ statement, method, path, scope }) => {
  it('is there, under /v1, and its scope alone opens it', async () => {
    expect(api.baseUrl).toMatch(/\/v1$/);
    expect(statement).toBe(`endpoints.${kebabCase(api.served.document.paths[path]?.[method.toLowerCase()]?.operationId)}`);
    expect(api.served.document.paths[path]?.[method.toLowerCase()]?.['x-required-scope'] ?? null).toBe(scope);
    const opened = await api.call(method, sent(path), { key: await keyWith([scope ?? 'alpha:read']) });
    expect([401, 403, 500, 501]).not.toContain(opened.status);
    expect(String(opened.body.message)).not.toMatch(/^No such path/);
    if (scope === null) return;
    const closed = await api.call(method, sent(path), { key: await keyWith(withoutResource(scope)) });
    expect([closed.status, closed.body.error, closed.body.required, closed.body.missing]).toEqual([403, 'insufficient_scope', [scope], [scope]]);
  });
});

// Contract: service.base-url.version-segment, versioning.path.v1-only
it.each(rows)('$name is answered under /v1 alone', async ({ method, path }) => {
  const key = await keyWith(scopes.map(({ scope }) => scope));
  const { origin } = new URL(api.baseUrl);
  for (const prefix of ['', '/v2', '/v1/v1']) {
    const { status } = await fetch(`${origin}${prefix}${sent(path)}`, { method, headers: { authorization: `Bearer ${key}` } });
    expect([prefix, status]).toEqual([prefix, 404]);
  }
});
