import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLoopbackAddress } from '../lib/loopback';
import { usageError } from './errors';
import { getField } from './fields';

/** The address of the platform API, and its token. */
export interface Connection {
  /** Ends with /platform/v1. */
  url: string;
  token: string;
}

const prefix = '/platform/v1';
const missingConnectionMessage = 'Set PLATFORM_URL and PLATFORM_TOKEN, or run it where npm start keeps .local/connection.json.';

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The message never repeats the text: it may hold a password.
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) throw usageError('PLATFORM_URL is no http or https URL.');
  if (url.username !== '' || url.password !== '') throw usageError('PLATFORM_URL must not hold a user or a password.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw usageError('PLATFORM_URL must begin with https: over plain http anybody on the way could read the token.');
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(prefix) ? path : path + prefix);
}

function parseToken(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw usageError('The platform token holds blanks or characters that no token has.');
  return text;
}

function readRunningStack(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw usageError(missingConnectionMessage);
  }
}

/** Whether a host, as a parsed URL names it, is this machine itself. */
const isLoopback = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'));

const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/**
 * Returns how to reach the service: PLATFORM_TOKEN with PLATFORM_URL, or with the process on this machine if PLATFORM_URL is
 * not set; otherwise the local stack that runs from `folder`. The token of one is never sent to the other.
 */
export function findConnection(environment: NodeJS.ProcessEnv, folder: string): Connection {
  const [url, token] = [nonEmpty(environment.PLATFORM_URL), nonEmpty(environment.PLATFORM_TOKEN)];
  if (token !== undefined) return { url: parseUrl(url ?? `http://127.0.0.1:${nonEmpty(environment.PLATFORM_PORT) ?? '4001'}`), token: parseToken(token) };
  if (url !== undefined) throw usageError('PLATFORM_URL is set, PLATFORM_TOKEN is not.');
  const file = join(resolve(folder, nonEmpty(environment.LOCAL_DIR) ?? '.local'), 'connection.json');
  const stack = readRunningStack(file);
  const [stackUrl, stackToken] = [getField(stack, 'platform_url'), getField(stack, 'platform_token')];
  if (typeof stackUrl !== 'string' || typeof stackToken !== 'string') throw usageError(missingConnectionMessage);
  return { url: parseUrl(stackUrl), token: parseToken(stackToken) };
}
