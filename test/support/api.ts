import { createLogger, type Logger } from '../../config/logger';
import type { Settings } from '../../config/settings';
import { startApi, type RunningApi } from '../../api/start';
import type { Caller } from '../../domain/context';
import { newId } from '../../domain/ids';
import { createInstitution } from '../../domain/institutions/createInstitution';
import { institutionScope } from '../../db/database';
import type { KeyEnvironment } from '../../db/entities/apiKey';
import { InstitutionEntity } from '../../db/entities/institution';
import { findInstitution } from '../../db/repositories/institutions/institutions';
import { createKey } from '../../domain/keys/createKey';
import { scopes } from '../../domain/scopes';
import { transact } from '../../domain/transact';
import { sendCodeEmails } from './codeEmails';
import { createAuditCheck, type AuditCheck } from './auditCheck';
import { stack, type TestStack } from './stack';
import { inspectResponse, nextResponseError } from './inspectResponse';
import { registerSecret, registerHashes, registerRequestSecrets, requireNoLeak } from './leaks';
import { keyTexts } from './serviceKeys';
import { fetchServedDocument, type ServedDocument } from './servedDocument';

/** What a test sends: a key or token, a JSON body, query parameters, further headers. */
export interface RequestOptions {
  key?: string | undefined;
  body?: unknown;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
}

/** The parsed response. Tests read fields of `data` without types; the response was checked against its schema. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test names the fields it expects
  body: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the same
  data: any;
}

/** An approved institution with a key of every scope. */
export interface TestInstitution {
  id: string;
  adminId: string;
  adminLoginEmail: string;
  loginDomain: string;
  apiKey: string;
  keyId: string;
  caller: Caller;
}

/** A real API on free ports, over the stack of this test file. */
export interface TestApi {
  api: RunningApi;
  stack: TestStack;
  settings: Settings;
  baseUrl: string;
  platformUrl: string;
  /** The apps' listener; ends with /platform/v1. */
  appsUrl: string;
  /** What the public API serves at `openapi.json`; every response of `call` is checked against it. */
  served: ServedDocument;
  /** A request to the public API (`path` after `/v1`). */
  call(method: string, path: string, sent?: RequestOptions): Promise<ApiResponse>;
  /** A request to the platform API (`path` after `/platform/v1`), with the platform token unless a key is given. */
  platform(method: string, path: string, sent?: RequestOptions): Promise<ApiResponse>;
  /** A request to the apps' listener (`path` after `/platform/v1`), without a token unless a key is given. */
  apps(method: string, path: string, sent?: RequestOptions): Promise<ApiResponse>;
  institution(granted?: readonly string[]): Promise<TestInstitution>;
  keyFor(institution: TestInstitution, granted: readonly string[], environment?: KeyEnvironment): Promise<string>;
  /** The sandbox of an institution, with a test key of every scope. */
  sandboxOf(institution: TestInstitution): Promise<TestInstitution>;
  stop(): Promise<void>;
}

/** A request whose response must match the API's document and contain nothing that must not be returned. */
async function checkedRequest(served: ServedDocument, audit: AuditCheck, baseUrl: string, method: string, path: string, sent: RequestOptions): Promise<ApiResponse> {
  if (sent.query !== undefined) registerRequestSecrets(path, JSON.stringify(sent.query));
  if (sent.body !== undefined) registerRequestSecrets(path, typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body));
  const { text, ...answer } = await request(method, baseUrl + path, sent);
  const fault = answer.status === 500 ? nextResponseError() : undefined;
  // The call was executed; its response was checked too late to undo it.
  if (fault !== undefined) throw fault;
  if (answer.status >= 400) audit.recordRejection(answer.headers.get('x-request-id'));
  served.requireDocumented(method, path, answer);
  const found = served.operationAt(method, path);
  // Keys and secrets in the documents belong to nobody.
  if (found !== undefined || answer.status !== 200) {
    requireNoLeak(found?.operation.operationId ?? '', `${text}\n${[...answer.headers].join('\n')}`);
  }
  return answer;
}

async function request(method: string, url: string, { key, body, query, headers }: RequestOptions): Promise<ApiResponse & { text: string }> {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query ?? {})) target.searchParams.append(name, String(value));
  const response = await fetch(target, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = response.headers.get('content-type')?.includes('application/json') === true ? JSON.parse(text) : { text };
  return { status: response.status, headers: response.headers, body: parsed, data: parsed.data, text };
}

/** A caller of an institution for commands run without HTTP. */
export function systemCaller(institutionId: string, now = new Date()): Caller {
  return { institutionId, actor: { kind: 'system', id: 'test' }, requestId: newId('req'), now };
}

/**
 * Starts the API; `overrides` change its settings. The caller stops it; `apiFixture` does both. From the first
 * call for a sign-in code on, codes are sent as a worker sends them, unless `emailsCodes` is false.
 */
export async function startTestApi(overrides: Partial<Settings> = {}, { emailsCodes = true, logger }: { emailsCodes?: boolean; logger?: Logger | undefined } = {}): Promise<TestApi> {
  const testStack = await stack();
  const settings = testStack.settings(overrides);
  const audit = createAuditCheck();
  const api = await startApi(settings, logger ?? createLogger('api', settings.logLevel), (...seen) => {
    audit.recordSuccess(seen[3]);
    inspectResponse(...seen);
  });
  for (const secret of keyTexts(settings.keys)) registerSecret(secret);
  const baseUrl = `http://127.0.0.1:${api.port}/v1`;
  const platformUrl = `http://127.0.0.1:${api.platformPort}/platform/v1`;
  const appsUrl = `http://127.0.0.1:${api.appPort}/platform/v1`;

  const [served, servedPlatform, servedApps] = await Promise.all([fetchServedDocument(baseUrl), fetchServedDocument(platformUrl), fetchServedDocument(appsUrl)]);

  let codeEmails: ReturnType<typeof sendCodeEmails> | undefined;
  const emailCodes = (path: string): void => {
    if (emailsCodes && path === '/sign-in/codes') codeEmails ??= sendCodeEmails(api.domain, settings);
  };
  const keyOf = async (institutionId: string, granted: readonly string[], environment: KeyEnvironment = 'live') => {
    const created = await transact(api.domain, systemCaller(institutionId), (tx) =>
      createKey(tx, 'platform', { name: 'test', scopes: [...granted], rate_limit_per_min: 6000, environment }),
    );
    registerHashes(created.apiKey);
    return created;
  };

  return {
    api,
    stack: testStack,
    settings,
    baseUrl,
    platformUrl,
    appsUrl,
    served,
    call: (method, path, sent = {}) => checkedRequest(served, audit, baseUrl, method, path, sent),
    apps: (method, path, sent = {}) => {
      emailCodes(path);
      return checkedRequest(servedApps, audit, appsUrl, method, path, sent);
    },
    platform: (method, path, sent = {}) => {
      emailCodes(path);
      return checkedRequest(servedPlatform, audit, platformUrl, method, path, { key: settings.platformToken, ...sent });
    },
    institution: async (granted = scopes.map(({ scope }) => scope)) => {
      const id = newId('ins');
      const loginDomain = `${id.slice(-12)}.example`;
      const adminEmail = `admin@${loginDomain}`;
      registerSecret(adminEmail);
      const { admin } = await transact(api.domain, systemCaller(id), (tx) =>
        createInstitution(tx, { name: 'North School', login_domain: loginDomain, admin_email: adminEmail, admin_name: 'Ada Admin' }),
      );
      await api.domain.database.manager.update(InstitutionEntity, { id }, { status: 'approved' });
      const { key, apiKey } = await keyOf(id, granted);
      return { id, adminId: admin.id, adminLoginEmail: admin.loginEmail, loginDomain, apiKey, keyId: key.id, caller: systemCaller(id) };
    },
    keyFor: async (institution, granted, environment) => (await keyOf(institution.id, granted, environment)).apiKey,
    sandboxOf: async (institution) => {
      const { key, apiKey } = await keyOf(institution.id, scopes.map(({ scope }) => scope), 'test');
      const id = key.institutionId;
      const found = await findInstitution(institutionScope(api.domain.database, id));
      if (found === undefined || found.admin_id === null || found.admin_login_email === null) throw new Error('The sandbox is not complete');
      return { id, adminId: found.admin_id, adminLoginEmail: found.admin_login_email, loginDomain: found.login_domain, apiKey, keyId: key.id, caller: systemCaller(id) };
    },
    stop: async () => {
      await codeEmails?.stop();
      await api.stop();
      await testStack.stop();
      await audit.assertConsistent(settings.databaseUrl);
      const fault = nextResponseError();
      if (fault !== undefined) throw fault;
    },
  };
}
