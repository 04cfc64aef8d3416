import type { CallHooks } from './callHooks';
import type { Fetch } from './fetch';
import { toEntries } from './request';
import type { RetryOptions } from './retries';

/** The limits of a call that a program sets; the others are the defaults. */
type GivenRetryOptions = { [K in keyof RetryOptions]?: RetryOptions[K] | undefined };

/** The API, the key, and the limits of a call. */
export interface ClientOptions extends GivenRetryOptions, CallHooks {
  /** Ends with `/v1`: `https://api.example.org/v1`. */
  baseUrl: string;
  /** `svc_live_…`, or the test key of a sandbox, `svc_test_…`. */
  apiKey: string;
  /** Takes a `baseUrl` with http of another machine than this one, where the network itself is private. */
  allowHttp?: boolean | undefined;
  /** Sends the requests in place of the `fetch` of Node: through a proxy, for instance. */
  fetch?: Fetch | undefined;
}

const defaults: RetryOptions = { tries: 5, answerWithinMs: 60_000, deadlineMs: 120_000 };

/** Whether a host, as a parsed URL names it, is this machine itself. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

/**
 * Returns the base URL without slashes at its end; throws a TypeError if it is not the URL of the API, which ends with `/v1`, or if
 * anybody on the way could read the key. No message repeats the URL: it may hold a password, or be the key in the wrong place.
 */
export function parseBaseUrl(baseUrl: unknown, allowHttp = false): string {
  const trimmed = typeof baseUrl === 'string' ? baseUrl.replace(/\/+$/, '') : '';
  // A parser of URLs leaves blanks and line breaks out, and calls would be sent with them.
  const url = /^[^\s\p{Cc}]+$/u.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || !url.pathname.endsWith('/v1') || /[?#]/.test(trimmed)) {
    throw new TypeError(`baseUrl must be the URL of the API with its version, as in https://api.example.org/v1${trimmed === '' ? '; it is empty' : ''}`);
  }
  if (url.pathname.split('/').includes('platform')) throw new TypeError('baseUrl is that of the platform API: the public API is served by another port or host, as in https://api.example.org/v1');
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl must not hold a user or a password');
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw new TypeError('baseUrl must begin with https: over plain http anybody on the way could read the API key. allowHttp: true takes it all the same');
  }
  return trimmed;
}

/** Returns the key; throws a TypeError, which never shows it, if it can be none. */
export function parseApiKey(apiKey: unknown): string {
  // Undefined, too: as a program in JavaScript gives it from an unset variable.
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey is empty: it must be an API key of the institution (svc_live_… or svc_test_…)');
  if (/^Bearer\s/i.test(apiKey)) throw new TypeError('apiKey is the key alone, without Bearer: the client sends that');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('apiKey holds blanks, line breaks or characters that no API key has: read from a file, it needs a trim()');
  if (/^wh(sec|pk)_/.test(apiKey)) throw new TypeError('apiKey is the secret or the public key of an endpoint: API keys are svc_live_… or svc_test_…');
  if (!/^svc_(live|test)_/.test(apiKey)) throw new TypeError('apiKey is no API key: it must begin with svc_live_ or svc_test_');
  return apiKey;
}

/** Throws a TypeError for an option that nothing reads, as a program in JavaScript may give one: it would be ignored without a word. */
export function requireKnownOptions(of: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null) throw new TypeError(`${of} takes an object of options: ${known.join(', ')}`);
  const [unknown] = toEntries(given).find(([name, value]) => value !== undefined && !known.includes(name)) ?? [];
  if (unknown !== undefined) throw new TypeError(`${unknown} is no option of ${of}, which has ${known.join(', ')}`);
}

/** Returns a positive number, the default where none is given; throws a TypeError for everything else. */
export function positive(name: string, given: unknown, byDefault: number): number {
  if (given === undefined) return byDefault;
  if (typeof given !== 'number' || !Number.isFinite(given) || given <= 0) throw new TypeError(`${name} must be a number above 0`);
  return given;
}

/** Returns how long calls go on; throws a TypeError for limits with which none could be made. */
export function parseRetryOptions({ tries, answerWithinMs, deadlineMs }: GivenRetryOptions): RetryOptions {
  if (tries !== undefined && !(Number.isInteger(tries) && tries >= 1)) throw new TypeError('tries must be a whole number, at least 1');
  return {
    tries: tries ?? defaults.tries,
    answerWithinMs: positive('answerWithinMs', answerWithinMs, defaults.answerWithinMs),
    deadlineMs: positive('deadlineMs', deadlineMs, defaults.deadlineMs),
  };
}

/** Returns an idempotency key; throws a TypeError for one that the API would refuse, or that cannot be sent. */
export function parseIdempotencyKey(key: unknown): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters, without blanks');
  return key;
}
