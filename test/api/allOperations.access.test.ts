import { publicOperations } from '../../api/operations/public';
import { openApiPath } from '../../api/http/openapi/describeOperation';
import type { Access } from '../../api/http/access';
import { ApiKeyEntity } from '../../db/entities/apiKey';
import { InstitutionEntity } from '../../db/entities/institution';
import { grants, scopes, type Scope } from '../../domain/scopes';
import type { ApiResponse } from '../support/api';
import { isTestOnly, pathOf } from '../support/operations';
import { apiFixture } from '../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });
const allScopes = scopes.map(({ scope }) => scope);
const named = publicOperations.map((record) => [`${record.method} ${record.path}`, record] as const);

const scopeOf = (access: Access): Scope | null => (access.by === 'key' ? access.scope : null);
/** Every scope that a key needs for an operation. */
const neededFor = ({ access }: (typeof publicOperations)[number]): Scope[] => (access.by === 'key' && access.scope !== null ? [access.scope, ...access.besides] : []);
const scoped = named.flatMap(([name, record]) => {
  const scope = scopeOf(record.access);
  return scope === null ? [] : [[name, record, scope] as const];
});

/** Keys are made once per environment and set of scopes: an institution has at most 25. */
const keys = new Map<string, string>();
async function keyWith(granted: readonly Scope[], record: (typeof publicOperations)[number]): Promise<string> {
  const environment = isTestOnly(record) ? 'test' : 'live';
  const name = [environment, ...granted].join(' ');
  const key = keys.get(name) ?? (await api.keyFor(await api.institution(), granted, environment));
  keys.set(name, key);
  return key;
}

/** An answer without what differs from request to request. */
const comparable = ({ status, body }: ApiResponse): unknown => ({ status, body });

describe('a key that lacks the scope', () => {
  // Contract: scopes.missing.insufficient-scope, errors.body.required-and-missing-scopes, errors.403.insufficient-scope
  it.each(scoped)('is refused: %s', async (_name, record, scope) => {
    const [resource = ''] = scope.split(':');
    const others = allScopes.filter((other) => !other.startsWith(`${resource}:`));
    const { status, body } = await api.call(record.method, pathOf(record.path), { key: await keyWith(others, record) });
    expect([status, body.error, body.required, body.missing]).toEqual([403, 'insufficient_scope', neededFor(record), [scope]]);
    expect(body.message).toBe(`This key lacks the scope ${scope}: make a key with it in the portal. GET /v1/me shows the scopes of this one.`);
  });

  const writes = scoped.filter(([, , scope]) => scope.endsWith(':write'));
  it.each(writes)('is refused with the read scope alone: %s', async (_name, record, scope) => {
    const key = await keyWith([scope.replace(':write', ':read') as Scope], record);
    const { status, body } = await api.call(record.method, pathOf(record.path), { key });
    expect([status, body.missing]).toEqual([403, neededFor(record)]);
  });

  const withMore = named.filter(([, record]) => neededFor(record).length > 1);
  it.each(withMore)('is refused without one of those that the response takes besides: %s', async (_name, record) => {
    for (const left of neededFor(record)) {
      const { status, body } = await api.call(record.method, pathOf(record.path), { key: await keyWith(neededFor(record).filter((scope) => scope !== left), record) });
      expect([status, body.required, body.missing]).toEqual([403, neededFor(record), [left]]);
    }
    expect((await api.call(record.method, pathOf(record.path), { key: await keyWith(neededFor(record), record) })).status).toBe(404);
  });
});

describe('the table of scopes', () => {
  // The scope is checked before anything of the request is read: what a key may do is asked of nothing.
  it.each(allScopes)('has the cells of %s as the operations answer', async (granted) => {
    const open: string[] = [];
    for (const record of publicOperations) {
      const { body } = await api.call(record.method, pathOf(record.path), { key: await keyWith([granted], record) });
      if (body.error !== 'insufficient_scope') open.push(`${record.method} ${record.path}`);
    }
    expect(open).toEqual(named.filter(([, record]) => neededFor(record).every((scope) => grants([granted], scope))).map(([name]) => name));
  });
});

describe('a write scope', () => {
  const reads = scoped.filter(([, , scope]) => scope.endsWith(':read'));
  // Contract: scopes.write-implies-read
  it.each(reads)('implies the read scope: %s', async (_name, record, scope) => {
    const key = await keyWith([scope.replace(':read', ':write') as Scope], record);
    const { status } = await api.call(record.method, pathOf(record.path), { key });
    expect([401, 403, 500, 501]).not.toContain(status);
  });
});

describe('the sandbox', () => {
  it('has operations of its own, which are those under /sandbox', () => {
    const testOnly = publicOperations.filter(isTestOnly).map(({ path }) => path);
    expect(testOnly).toEqual(publicOperations.map(({ path }) => path).filter((path) => /^\/sandbox(\/|$)/.test(path)));
    expect(testOnly.length).toBeGreaterThan(0);
  });

  it.each(named.filter(([, record]) => isTestOnly(record)))('has an operation that no live key finds: %s', async (_name, { method, path }) => {
    const { status, body } = await api.call(method, pathOf(path), { key: institution.apiKey });
    expect([status, body.error]).toEqual([404, 'not_found']);
    const { data } = await api.call('GET', '/me', { key: institution.apiKey });
    expect(data.environment).toBe('live');
  });

  it.each(named.filter(([, record]) => isTestOnly(record)))('has an operation of which the document says so: %s', (_name, { method, path }) => {
    const operation = api.served.document.paths[openApiPath(path)]?.[method.toLowerCase()];
    expect(operation).toMatchObject({ 'x-environment': 'test', description: expect.stringContaining('Test keys alone'), responses: { '404': expect.anything() } });
  });
});

describe('who is let in', () => {
  const change = (keyId: string, values: Partial<ApiKeyEntity>) => api.api.domain.database.manager.update(ApiKeyEntity, { id: keyId }, values);
  const withoutKey: [string, Record<string, string>][] = [
    ['no Authorization header', {}],
    ['an empty bearer token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['a foreign prefix', { authorization: `Bearer sk_live_${'a'.repeat(32)}` }],
    ['a sandbox key', { authorization: `Bearer svc_sandbox_${'a'.repeat(32)}` }],
    ['a session token', { authorization: `Bearer ses_${'a'.repeat(32)}` }],
  ];

  // Contract: auth.session.none, keys.sandbox.not-yet, auth.unauthorized.no-token-or-wrong-prefix, errors.401.unauthorized
  // Contract: versioning.sandbox-keys.not-yet
  it.each(withoutKey)('%s is 401 unauthorized', async (_name, headers) => {
    const { status, body } = await api.call('GET', '/me', { headers });
    expect([status, body.error]).toEqual([401, 'unauthorized']);
  });

  // Contract: service.caller.approved-institution, auth.invalid-api-key.causes, auth.invalid-api-key.causes-indistinguishable
  // Contract: errors.401.invalid-api-key
  it('unknown, revoked and expired keys and those of institutions not approved get one and the same answer', async () => {
    const [revoked, expired, pending, suspended] = await Promise.all([api.institution(), api.institution(), api.institution(), api.institution()]);
    await change(revoked.keyId, { revokedAt: new Date() });
    await change(expired.keyId, { expiresAt: new Date(Date.now() - 1_000) });
    const { manager } = api.api.domain.database;
    await manager.update(InstitutionEntity, { id: pending.id }, { status: 'pending' });
    await manager.update(InstitutionEntity, { id: suspended.id }, { status: 'suspended' });
    const refused = [`svc_live_${'a'.repeat(32)}`, `${institution.apiKey}x`, revoked.apiKey, expired.apiKey, pending.apiKey, suspended.apiKey];
    const answers = await Promise.all(refused.map((key) => api.call('GET', '/students', { key })));
    for (const answer of answers) {
      expect(comparable(answer)).toEqual({
        status: 401,
        body: { success: false, error: 'invalid_api_key', message: 'This API key is not valid: it is unknown, revoked or expired, or its institution is not approved.' },
      });
      const names = [...answer.headers.keys()].filter((name) => name !== 'date').sort();
      expect(names).toEqual([...(answers[0]?.headers.keys() ?? [])].filter((name) => name !== 'date').sort());
    }
  });

  it('lets a key in again when its institution is approved again', async () => {
    const back = await api.institution();
    const { manager } = api.api.domain.database;
    await manager.update(InstitutionEntity, { id: back.id }, { status: 'suspended' });
    expect((await api.call('GET', '/students', { key: back.apiKey })).status).toBe(401);
    await manager.update(InstitutionEntity, { id: back.id }, { status: 'approved' });
    expect((await api.call('GET', '/students', { key: back.apiKey })).status).toBe(200);
  });

  it('takes the word Bearer in any case', async () => {
    const { status } = await api.call('GET', '/students', { headers: { authorization: `bearer ${institution.apiKey}` } });
    expect(status).toBe(200);
  });

  // Contract: auth.bearer.every-request
  it.each(named)('does not answer without a key: %s', async (_name, { method, path }) => {
    const { status, body } = await api.call(method, pathOf(path));
    expect([status, body.error]).toEqual([401, 'unauthorized']);
  });
});

describe('an unknown path', () => {
  it('is 404 with a key and 401 without', async () => {
    const withKey = await api.call('GET', '/no/such/path', { key: institution.apiKey });
    const without = await api.call('GET', '/no/such/path');
    expect([withKey.status, withKey.body.error, without.status, without.body.error]).toEqual([404, 'not_found', 401, 'unauthorized']);
  });

  it.each(['/students/', '/STUDENTS', '//students', '/students/%2e%2e/students/%00'])('is %s', async (path) => {
    const { status, body } = await api.call('GET', path, { key: institution.apiKey });
    expect([status, body.error]).toEqual([404, 'not_found']);
  });
});

describe('an empty path parameter names nothing', () => {
  it.each(['GET', 'POST', 'PATCH', 'PUT'])('%s /students/', async (method) => {
    const { status, body } = await api.call(method, '/students/', { key: institution.apiKey, ...(method === 'GET' ? {} : { body: {} }) });
    expect([status, body.error, body.message]).toEqual([404, 'not_found', expect.stringMatching(/^No such path: /)]);
  });
});

describe('a method that a path does not have', () => {
  const paths = [...new Set(publicOperations.map(({ path }) => path))];
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

  // Contract: errors.501.not-implemented
  it.each(paths)('is 501 with the methods it has, HEAD where GET is; a fixed segment takes precedence over a parameter: %s', async (path) => {
    const sent = pathOf(path);
    const has = methods.filter((method) => publicOperations.some((record) => record.method === method && record.path === path));
    const allow = has.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    for (const method of [...methods.filter((other) => !has.includes(other)), 'OPTIONS']) {
      const { status, body, headers } = await api.call(method, sent, { key: institution.apiKey });
      expect([method, status, body.error, headers.get('allow')]).toEqual([method, 501, 'not_implemented', allow]);
    }
  });
});

describe('headers', () => {
  const requests: [string, string, string, boolean][] = [
    ['a success', 'GET', '/students', true],
    ['a refusal', 'GET', '/students?limit=0', true],
    ['an unknown resource', 'GET', '/students/stu_none', true],
    ['an unknown path', 'GET', '/nothing', true],
    ['a wrong method', 'PUT', '/students', true],
    ['no key', 'GET', '/students', false],
  ];

  // Contract: responses.request-id.header, rate-limit.headers.retry-after
  it.each(requests)('an answer has its request id, and where the key was known its limits: %s', async (_name, method, path, withKey) => {
    const { headers, status } = await api.call(method, path, withKey ? { key: institution.apiKey } : {});
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
    expect(headers.get('x-ratelimit-limit')).toBe(withKey ? '6000' : null);
    expect(headers.has('x-ratelimit-remaining')).toBe(withKey);
    expect(headers.has('x-ratelimit-reset')).toBe(withKey);
    expect(headers.has('retry-after')).toBe(false);
    expect(status).not.toBe(500);
  });

  it.each(requests)('no answer is kept by a cache, and a 401 names the scheme: %s', async (_name, method, path, withKey) => {
    const { headers, status } = await api.call(method, path, withKey ? { key: institution.apiKey } : {});
    expect([headers.get('cache-control'), headers.get('www-authenticate')]).toEqual(['no-store', status === 401 ? 'Bearer' : null]);
  });

  it.each(requests)('no browser takes an answer for anything but JSON, runs or frames it: %s', async (_name, method, path, withKey) => {
    const answers = [await api.call(method, path, withKey ? { key: institution.apiKey } : {}), await api.platform(method, path, withKey ? {} : { key: undefined })];
    for (const { headers } of answers) {
      expect([headers.get('content-type'), headers.get('x-content-type-options'), headers.get('content-security-policy'), headers.get('referrer-policy')]).toEqual([
        'application/json; charset=utf-8', 'nosniff', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'", 'no-referrer',
      ]);
    }
  });

  it('the same holds for the platform API', async () => {
    const [done, refused] = await Promise.all([api.platform('GET', '/institutions'), api.platform('GET', '/institutions', { key: undefined })]);
    expect([done, refused].map(({ status, headers }) => [status, headers.get('cache-control'), headers.get('www-authenticate')])).toEqual([
      [200, 'no-store', null],
      [401, 'no-store', 'Bearer'],
    ]);
  });

  it('no two answers have the same request id', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.call('GET', '/me', { key: institution.apiKey })));
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(20);
  });
});
