import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLoopbackAddress } from '../lib/loopback';
import { usageError } from './errors';
import { getField } from './fields';

/** The address of one of the two APIs, and what is sent to it as a bearer. */
export interface Connection {
  /** Ends with the prefix of the API: /platform/v1, or /v1. */
  url: string;
  token: string;
}

/** How the environment and the local stack's file name one of the APIs. */
interface Service {
  urlName: string;
  tokenName: string;
  /** Of the token, in messages. */
  tokenWords: string;
  /** What it begins with, where it always begins so. */
  tokenPrefix?: { pattern: RegExp; words: string };
  prefix: string;
  /** Whether the address may leave the prefix out; that of the public API is the one that programs take, too. */
  addsPrefix: boolean;
  /** The paths of the other API, and what that is. */
  otherApi: { pattern: RegExp; words: string };
  fileUrl: string;
  fileToken: string;
}

const platform: Service = {
  urlName: 'PLATFORM_URL', tokenName: 'PLATFORM_TOKEN', tokenWords: 'platform token', prefix: '/platform/v1', addsPrefix: true, otherApi: { pattern: /(?<!\/platform)\/v1$/, words: 'the public API, which BASE_URL is for; the platform API has a port or host of its own' }, fileUrl: 'platform_url', fileToken: 'platform_token',
};
const institutionApi: Service = { urlName: 'BASE_URL', tokenName: 'API_KEY', tokenWords: 'API key', tokenPrefix: { pattern: /^svc_(live|test)_/, words: 'svc_live_ or svc_test_' }, prefix: '/v1', addsPrefix: false, otherApi: { pattern: /\/platform(?:\/v1)?$/, words: 'the platform API, which PLATFORM_URL is for; the public API has a port or host of its own, as in https://api.example.org/v1' }, fileUrl: 'base_url', fileToken: 'api_key' };

const missingConnectionMessage = ({ urlName, tokenName }: Service): string => `Set ${urlName} and ${tokenName}, or run it where npm start keeps .local/connection.json.`;

function parseUrl(text: string, { urlName, tokenWords, prefix, addsPrefix, otherApi }: Service): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The message never repeats the text: it may hold a password.
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) throw usageError(`${urlName} is no http or https URL.`);
  if (url.username !== '' || url.password !== '') throw usageError(`${urlName} must not hold a user or a password.`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw usageError(`${urlName} must begin with https: over plain http anybody on the way could read the ${tokenWords}.`);
  const path = url.pathname.replace(/\/+$/, '');
  if (otherApi.pattern.test(path)) throw usageError(`${urlName} is the address of ${otherApi.words}.`);
  if (path.endsWith(prefix)) return url.origin + path;
  if (!addsPrefix) throw usageError(`${urlName} must be the address of the API with its version, as in https://api.example.org${prefix}.`);
  return url.origin + path + prefix;
}

function parseToken(text: string, { tokenName, tokenWords, tokenPrefix }: Service): string {
  // The messages never repeat the text: it may be a credential of something else.
  if (/^bearer\s/i.test(text)) throw usageError(`${tokenName} is the ${tokenWords} alone, without Bearer: the command sends that.`);
  if (!/^[\x21-\x7e]+$/.test(text)) throw usageError(`${tokenName} holds blanks or characters that no ${tokenWords} has.`);
  const right = tokenPrefix === undefined ? '' : `: it must begin with ${tokenPrefix.words}`;
  if (/^wh(sec|pk)_/.test(text)) throw usageError(`${tokenName} is the secret or the public key of an endpoint, no ${tokenWords}${right}.`);
  if (tokenPrefix?.pattern.test(text) === false) throw usageError(`${tokenName} is no ${tokenWords}${right}.`);
  return text;
}

/** Returns what the local stack that runs from `folder` says about itself; undefined if none runs. */
function readRunningStack(environment: NodeJS.ProcessEnv, folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(resolve(folder, nonEmpty(environment.LOCAL_DIR) ?? '.local'), 'connection.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whether a host, as a parsed URL names it, is this machine itself. */
export const isLoopback = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'));

/** Returns the token to send, of the list that the service accepts while its token is rotated. */
const newestOf = (tokens: string): string => tokens.split(',')[0]?.trim() ?? '';

const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

function findLocalConnection(environment: NodeJS.ProcessEnv, folder: string, service: Service, { tokenField = service.fileToken, missing = missingConnectionMessage(service) } = {}): Connection {
  const stack = readRunningStack(environment, folder);
  const [url, token] = [getField(stack, service.fileUrl), getField(stack, tokenField)];
  if (typeof url !== 'string' || typeof token !== 'string') throw usageError(missing);
  return { url: parseUrl(url, service), token: parseToken(token, service) };
}

/**
 * Returns how to reach the platform API: PLATFORM_TOKEN with PLATFORM_URL, or with the process on this machine if PLATFORM_URL is
 * not set; otherwise the local stack that runs from `folder`. The token of one is never sent to the other. `missing` is the message
 * if there is none of these.
 */
export function findConnection(environment: NodeJS.ProcessEnv, folder: string, missing?: string): Connection {
  const [url, token] = [nonEmpty(environment.PLATFORM_URL), nonEmpty(environment.PLATFORM_TOKEN)];
  if (token !== undefined) return { url: parseUrl(url ?? `http://127.0.0.1:${nonEmpty(environment.PLATFORM_PORT) ?? '4001'}`, platform), token: parseToken(newestOf(token), platform) };
  if (url !== undefined) throw usageError('PLATFORM_URL is set, PLATFORM_TOKEN is not.');
  return findLocalConnection(environment, folder, platform, { missing });
}

/**
 * Whether a command of both calls the public API: where the environment names a key, or its address, and nothing of the platform.
 * Without either it calls the platform API of the local stack.
 */
export const choosesKey = ({ PLATFORM_URL, PLATFORM_TOKEN, API_KEY, BASE_URL }: NodeJS.ProcessEnv): boolean =>
  [PLATFORM_URL, PLATFORM_TOKEN].every((value) => nonEmpty(value) === undefined) && [API_KEY, BASE_URL].some((value) => nonEmpty(value) !== undefined);

/** How an integrator reaches the public API. */
export interface KeyConnection extends Connection {
  /** Whether the key is the test key of the local stack, which was taken in place of its live one. */
  isLocalTestKey: boolean;
}

const localTestKeyField = 'test_key';

/**
 * Returns how an integrator reaches the public API: API_KEY with BASE_URL, otherwise the local stack that runs from `folder`, with
 * its live key, or with its test key if that is preferred and there is one. A key is never sent to another service than the one
 * that is named with it.
 */
export function findKeyConnection(environment: NodeJS.ProcessEnv, folder: string, { prefersTestKey = false } = {}): KeyConnection {
  const [url, key] = [nonEmpty(environment.BASE_URL), nonEmpty(environment.API_KEY)];
  if (url !== undefined && key !== undefined) return { url: parseUrl(url, institutionApi), token: parseToken(key, institutionApi), isLocalTestKey: false };
  if (url !== undefined) throw usageError('BASE_URL is set, API_KEY is not: set both.');
  if (key !== undefined) throw usageError('API_KEY is set, BASE_URL is not: it is the address of the API, as in https://api.example.org/v1.');
  const isLocalTestKey = prefersTestKey && typeof getField(readRunningStack(environment, folder), localTestKeyField) === 'string';
  return { ...findLocalConnection(environment, folder, institutionApi, { tokenField: isLocalTestKey ? localTestKeyField : undefined }), isLocalTestKey };
}

/** The pages that the services have. */
export type Page = 'docs' | 'reference' | 'openapi' | 'console' | 'platform' | 'temporal';

/** Returns the address of a page that the file of this folder names: what opens pages would also start programs, which others may have named there. */
function requirePage(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') throw usageError('.local/connection.json names no http or https address of a Web UI.');
  return url.href.replace(/\/$/, '');
}

function findUrl(environment: NodeJS.ProcessEnv, folder: string, service: Service): string {
  const url = nonEmpty(environment[service.urlName]) ?? getField(readRunningStack(environment, folder), service.fileUrl);
  if (typeof url !== 'string') throw usageError(`Set ${service.urlName}, or run it where npm start keeps .local/connection.json.`);
  return parseUrl(url, service);
}

/** Returns the address of a page. It needs no key. */
export function findPage(environment: NodeJS.ProcessEnv, folder: string, page: Page): string {
  switch (page) {
    case 'docs':
    case 'reference':
      return `${findUrl(environment, folder, institutionApi)}/docs`;
    case 'openapi':
      return `${findUrl(environment, folder, institutionApi)}/openapi.json`;
    case 'console':
      return new URL('/console', findUrl(environment, folder, platform)).href;
    case 'platform':
      return `${findUrl(environment, folder, platform)}/openapi.json`;
    case 'temporal': {
      const url = getField(readRunningStack(environment, folder), 'temporal_ui');
      if (typeof url !== 'string') throw usageError('No local stack runs here, and only its file names its Web UI.');
      return requirePage(url);
    }
  }
}

/** Says where the two APIs are found, without what opens them. If only one is named, the other is no problem. */
export function describeConnections(environment: NodeJS.ProcessEnv, folder: string): object {
  const stack = readRunningStack(environment, folder);
  const isNamed = ({ urlName, tokenName, fileUrl }: Service): boolean => [environment[urlName], environment[tokenName], getField(stack, fileUrl)].some((value) => value !== undefined && value !== '');
  const isOneNamed = isNamed(institutionApi) || isNamed(platform);
  const problems: string[] = [];
  const attempt = <T>(service: Service, find: () => T): T | undefined => {
    try {
      return find();
    } catch (error) {
      if (isNamed(service) || !isOneNamed) problems.push(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  const key = attempt(institutionApi, () => findKeyConnection(environment, folder));
  const operator = attempt(platform, () => findConnection(environment, folder));
  const source = (name: string): string => (nonEmpty(environment[name]) === undefined ? '.local/connection.json' : name);
  return {
    base_url: key?.url ?? null,
    api_key: key === undefined ? null : source('API_KEY'),
    environment: key === undefined ? null : isTestKey(key.token) ? 'test' : 'live',
    platform_url: operator?.url ?? null,
    platform_token: operator === undefined ? null : source('PLATFORM_TOKEN'),
    webhooks_by: choosesKey(environment) ? 'api_key' : 'platform_token',
    problems,
  };
}

/** Whether a key is one of a sandbox. */
export const isTestKey = (key: string): boolean => key.startsWith('svc_test_');
