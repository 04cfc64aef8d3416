import { scopes } from '../../domain/scopes';
import { isNormative, specification, statements } from './statements';
import { apiFixture } from '../support/apiFixture';

// The tables of endpoints, read from the specification itself: each row that is built, over HTTP.

interface Row {
  name: string;
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

const isBuilt = (line: number): boolean => statements.some((one) => one.line === line && isNormative(one));

const rows: Row[] = specification.flatMap((line, index) => {
  const [, method, path, shown] = /^\| (GET|POST|PUT|PATCH|DELETE) \| (\S+) \| (\S+) \|/.exec(line) ?? [];
  if (method === undefined || path === undefined || shown === undefined || !isBuilt(index + 1)) return [];
  return [{ name: `${method} ${path}`, method, path, scope: scopeOf(method, path, shown) }];
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

it('has the tables of the specification before it', () => {
  expect(rows.length).toBeGreaterThan(50);
});

// Contract: 245a, 246a, 247a, 248a, 249a, 255a, 256a, 257a, 258a, 259a, 260a, 261a, 263a, 269a, 270a, 271a, 272a, 273a
// Contract: 279a, 280a, 281a, 282a, 283a, 284a, 285, 293a, 294a, 295a, 296a, 297a, 305a, 306a, 307a, 308a, 309, 310a
// Contract: 311, 312a, 313a, 314, 315a, 316, 317, 318a, 324a, 325a, 326a, 327a, 335a, 336a, 337a, 338a, 339a, 391a
// Contract: 392a, 393, 394a, 395, 396a, 397a, 398a, 399, 400a, 401a, 402a
// Contract: 416a, 416b, 417a, 417b, 418a, 418b, 419a, 419c, 420a, 420b, 421a, 421b, 426a, 426b, 427a, 427b
// Contract: 377a, 378a, 379a, 380a, 381a, 382a, 383a, 384a, 385a, 425a, 425b
// Contract: 356a, 357a, 358a, 359a, 423a, 423b
// Contract: 347a, 348a, 349a, 350a, 422a, 422b
// Contract: 262a, 367a, 368a, 369, 370, 371a, 424a, 424b
describe.each(rows)('$name', ({ method, path, scope }) => {
  it('is there, under /v1, and its scope alone opens it', async () => {
    expect(api.baseUrl).toMatch(/\/v1$/);
    expect(api.served.document.paths[path]?.[method.toLowerCase()]?.['x-required-scope'] ?? null).toBe(scope);
    const opened = await api.call(method, sent(path), { key: await keyWith([scope ?? 'alpha:read']) });
    expect([401, 403, 500, 501]).not.toContain(opened.status);
    expect(String(opened.body.message)).not.toMatch(/^No such path/);
    if (scope === null) return;
    const closed = await api.call(method, sent(path), { key: await keyWith(withoutResource(scope)) });
    expect([closed.status, closed.body.error, closed.body.required, closed.body.missing]).toEqual([403, 'insufficient_scope', [scope], [scope]]);
  });
});

// Contract: 3a, 533
it.each(rows)('$name is answered under /v1 alone', async ({ method, path }) => {
  const key = await keyWith(scopes.map(({ scope }) => scope));
  const { origin } = new URL(api.baseUrl);
  for (const prefix of ['', '/v2', '/v1/v1']) {
    const { status } = await fetch(`${origin}${prefix}${sent(path)}`, { method, headers: { authorization: `Bearer ${key}` } });
    expect([prefix, status]).toEqual([prefix, 404]);
  }
});
