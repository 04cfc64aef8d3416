import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { wrongUsage } from './errors';
import { fieldOf } from './fields';

/** Where the platform API is, and the token that opens it. */
export interface Connection {
  /** Ends with /platform/v1. */
  url: string;
  token: string;
}

const prefix = '/platform/v1';
const nowhere = 'Set PLATFORM_URL and PLATFORM_TOKEN, or run it where npm start keeps .local/connection.json.';

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Never repeats the text: it may hold a password.
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) throw wrongUsage('PLATFORM_URL is no http or https URL.');
  if (url.username !== '' || url.password !== '') throw wrongUsage('PLATFORM_URL must not hold a user or a password.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw wrongUsage('PLATFORM_URL must begin with https: over plain http anybody on the way could read the token.');
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(prefix) ? path : path + prefix);
}

function tokenOf(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw wrongUsage('The platform token holds blanks or characters that no token has.');
  return text;
}

function readRunningStack(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw wrongUsage(nowhere);
  }
}

/** Whether a host, as a parsed URL names it, is this machine itself: what is sent there goes through no network. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

const set = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/**
 * How to reach the service: PLATFORM_TOKEN with PLATFORM_URL, which is the process on this machine where it is left out,
 * else the local stack that runs from `folder`. The token of one is never sent to the other.
 */
export function findConnection(environment: NodeJS.ProcessEnv, folder: string): Connection {
  const [url, token] = [set(environment.PLATFORM_URL), set(environment.PLATFORM_TOKEN)];
  if (token !== undefined) return { url: urlOf(url ?? `http://127.0.0.1:${set(environment.PLATFORM_PORT) ?? '4001'}`), token: tokenOf(token) };
  if (url !== undefined) throw wrongUsage('PLATFORM_URL is set, PLATFORM_TOKEN is not.');
  const file = join(resolve(folder, set(environment.LOCAL_DIR) ?? '.local'), 'connection.json');
  const stack = readRunningStack(file);
  const [stackUrl, stackToken] = [fieldOf(stack, 'platform_url'), fieldOf(stack, 'platform_token')];
  if (typeof stackUrl !== 'string' || typeof stackToken !== 'string') throw wrongUsage(nowhere);
  return { url: urlOf(stackUrl), token: tokenOf(stackToken) };
}
