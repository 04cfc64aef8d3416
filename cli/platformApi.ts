import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection';
import { CliError, InterruptedError, unreachableError, type Issue } from './errors';
import { getField, getItems } from './fields';

export type Query = Record<string, string | number | undefined>;

/** What is sent along with a call. */
export interface CallOptions {
  query?: Query;
  body?: unknown;
  /** As the platform itself, whomever `--actor` names. */
  asPlatform?: true;
}

/** The platform API as commands call it. */
export interface PlatformApi {
  /** Answers `data`; raises a Failure for a refusal and where nothing answers. `path` comes after `/platform/v1`. */
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, sent?: CallOptions): Promise<unknown>;
  /** What `/readyz` says, and whether that is good enough. */
  readiness(): Promise<{ ready: boolean; body: unknown }>;
}

/** How calls are made. */
export interface PlatformApiOptions {
  /** How long an answer may take, waits that the service asks for included. */
  timeoutMs: number;
  actor: string | undefined;
  /** Ends what is under way; its reason is an Interrupted. */
  signal: AbortSignal;
}

/** A path whose values are encoded: path`/institutions/${id}`. */
export const path = (texts: TemplateStringsArray, ...values: string[]): string =>
  String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)));

interface ApiResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Failures to connect: nothing has been asked of the service. */
const connectionErrorMessages: Record<string, string> = {
  ECONNREFUSED: 'refuses connections; is it running?',
  ENOTFOUND: 'has no address',
  EAI_AGAIN: 'has no address',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'takes no connections',
};

const outcomeUnknownMessage = 'whether it was done is not known: look before doing it again';

function toUnreachableError(error: unknown, { origin }: URL, method: string, { timeoutMs }: PlatformApiOptions): CliError {
  const code = getField(error, 'cause.code');
  const message = typeof code === 'string' ? connectionErrorMessages[code] : undefined;
  if (message !== undefined) return unreachableError(`${origin} ${message}`, error);
  const timedOut = error instanceof Error && error.name === 'TimeoutError';
  const reason = timedOut ? `did not answer within ${timeoutMs / 1000} s` : 'broke the connection off';
  return unreachableError(`${origin} ${reason}${method === 'GET' ? '' : `; ${outcomeUnknownMessage}`}`, error);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isIssue = (value: unknown): value is Issue => typeof getField(value, 'path') === 'string' && typeof getField(value, 'message') === 'string';

/** What a refusal says; something that is no answer of the service is as good as none. */
function responseError({ status, headers, body }: ApiResponse, { origin }: URL): CliError {
  const [code, message] = [getField(body, 'error'), getField(body, 'message')];
  if (typeof code !== 'string' || typeof message !== 'string') return unreachableError(`${origin} answered ${status}, but not as the platform API does`);
  return new CliError(message, { kind: 'refused', code, requestId: headers.get('x-request-id') ?? undefined, issues: getItems(body, 'issues').filter(isIssue) });
}

const minRetryWaitMs = 1_000;

/** Refusals of the service that come before anything is done. */
const retryableErrorCodes = new Set(['rate_limited', 'rate_limiter_unavailable']);

/** For how long to wait before the same is asked again, in ms; undefined where it must not be, or nobody asks for it. */
function retryWaitMs({ status, headers }: ApiResponse, method: string, { details }: CliError): number | undefined {
  const seconds = headers.get('retry-after');
  if ((status !== 429 && status !== 503) || seconds === null || !/^\d+$/.test(seconds)) return undefined;
  const isSafeToRetry = method === 'GET' || (details.kind === 'refused' && retryableErrorCodes.has(details.code));
  return isSafeToRetry ? Math.max(Number(seconds) * 1_000, minRetryWaitMs) : undefined;
}

/** Speaks the platform API. The token goes into a header and nowhere else. */
export function platformApi({ url, token }: Connection, options: PlatformApiOptions): PlatformApi {
  const { timeoutMs, actor, signal } = options;

  async function exchange(target: URL, method: string, headers: Record<string, string>, body: string | undefined, limit: AbortSignal): Promise<ApiResponse> {
    try {
      const init = { method, headers, redirect: 'manual' as const, signal: AbortSignal.any([signal, limit]) };
      const response = await fetch(target, body === undefined ? init : { ...init, body });
      return { status: response.status, headers: response.headers, body: parseJson(await response.text()) };
    } catch (error) {
      if (signal.reason instanceof InterruptedError) throw method === 'GET' ? signal.reason : signal.reason.withMessage(`Interrupted; ${outcomeUnknownMessage}.`);
      throw toUnreachableError(error, target, method, options);
    }
  }

  return {
    call: async (method, path, { query = {}, body, asPlatform } = {}) => {
      const target = new URL(url + path);
      for (const [name, value] of Object.entries(query)) if (value !== undefined) target.searchParams.set(name, String(value));
      const headers = {
        authorization: `Bearer ${token}`,
        ...(actor === undefined || asPlatform ? {} : { 'x-actor': actor }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const deadline = performance.now() + timeoutMs;
      const limit = AbortSignal.timeout(timeoutMs);
      let lastError: CliError | undefined;
      for (;;) {
        const response = await exchange(target, method, headers, body === undefined ? undefined : JSON.stringify(body), limit).catch((error: unknown) => {
          // A read has nothing that could be in doubt; of a write that was sent once more nobody knows.
          throw method === 'GET' && limit.aborted && lastError !== undefined ? lastError : error;
        });
        if (response.status === 200 && getField(response.body, 'success') === true) return getField(response.body, 'data');
        lastError = responseError(response, target);
        const waitMs = retryWaitMs(response, method, lastError);
        if (waitMs === undefined || performance.now() + waitMs >= deadline) throw lastError;
        await pause(waitMs, signal);
        // A timer may be late.
        if (performance.now() >= deadline) throw lastError;
      }
    },
    readiness: async () => {
      const target = new URL(url.replace(/\/platform\/v1$/, '/readyz'));
      const response = await exchange(target, 'GET', {}, undefined, AbortSignal.timeout(timeoutMs));
      if (typeof getField(response.body, 'status') !== 'string') throw responseError(response, target);
      return { ready: response.status === 200, body: response.body };
    },
  };
}

/** Waits; an interruption ends the wait and is raised. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
