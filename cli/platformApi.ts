import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection';
import { Failure, Interrupted, unreachable, type Issue } from './errors';
import { fieldOf, itemsOf } from './fields';

export type Query = Record<string, string | number | undefined>;

/** What is sent along with a call. */
export interface Sent {
  query?: Query;
  body?: unknown;
  /** As the platform itself, whomever `--actor` names. */
  asPlatform?: true;
}

/** The platform API as commands call it. */
export interface PlatformApi {
  /** Answers `data`; raises a Failure for a refusal and where nothing answers. `path` comes after `/platform/v1`. */
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, sent?: Sent): Promise<unknown>;
  /** What `/readyz` says, and whether that is good enough. */
  readiness(): Promise<{ ready: boolean; said: unknown }>;
}

/** How calls are made. */
export interface Calling {
  /** How long an answer may take, waits that the service asks for included. */
  timeoutMs: number;
  actor: string | undefined;
  /** Ends what is under way; its reason is an Interrupted. */
  signal: AbortSignal;
}

/** A path whose values are encoded: path`/institutions/${id}`. */
export const path = (texts: TemplateStringsArray, ...values: string[]): string =>
  String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)));

interface Reply {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Failures to connect: nothing has been asked of the service. */
const notConnected: Record<string, string> = {
  ECONNREFUSED: 'refuses connections; is it running?',
  ENOTFOUND: 'has no address',
  EAI_AGAIN: 'has no address',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'takes no connections',
};

const doubt = 'whether it was done is not known: look before doing it again';

function whyUnreachable(error: unknown, { origin }: URL, method: string, { timeoutMs }: Calling): Failure {
  const code = fieldOf(error, 'cause.code');
  const refused = typeof code === 'string' ? notConnected[code] : undefined;
  if (refused !== undefined) return unreachable(`${origin} ${refused}`, error);
  const late = error instanceof Error && error.name === 'TimeoutError';
  const why = late ? `did not answer within ${timeoutMs / 1000} s` : 'broke the connection off';
  return unreachable(`${origin} ${why}${method === 'GET' ? '' : `; ${doubt}`}`, error);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isIssue = (value: unknown): value is Issue => typeof fieldOf(value, 'path') === 'string' && typeof fieldOf(value, 'message') === 'string';

/** What a refusal says; something that is no answer of the service is as good as none. */
function refusal({ status, headers, body }: Reply, { origin }: URL): Failure {
  const [code, message] = [fieldOf(body, 'error'), fieldOf(body, 'message')];
  if (typeof code !== 'string' || typeof message !== 'string') return unreachable(`${origin} answered ${status}, but not as the platform API does`);
  return new Failure(message, { kind: 'refused', code, requestId: headers.get('x-request-id') ?? undefined, issues: itemsOf(body, 'issues').filter(isIssue) });
}

const shortestWaitMs = 1_000;

/** Refusals of the service that come before anything is done. */
const nothingDone = new Set(['rate_limited', 'rate_limiter_unavailable']);

/** For how long to wait before the same is asked again, in ms; undefined where it must not be, or nobody asks for it. */
function askedToWaitMs({ status, headers }: Reply, method: string, { details }: Failure): number | undefined {
  const seconds = headers.get('retry-after');
  if ((status !== 429 && status !== 503) || seconds === null || !/^\d+$/.test(seconds)) return undefined;
  const harmless = method === 'GET' || (details.kind === 'refused' && nothingDone.has(details.code));
  return harmless ? Math.max(Number(seconds) * 1_000, shortestWaitMs) : undefined;
}

/** Speaks the platform API. The token goes into a header and nowhere else. */
export function platformApi({ url, token }: Connection, calling: Calling): PlatformApi {
  const { timeoutMs, actor, signal } = calling;

  async function exchange(target: URL, method: string, headers: Record<string, string>, body: string | undefined, limit: AbortSignal): Promise<Reply> {
    try {
      const init = { method, headers, redirect: 'manual' as const, signal: AbortSignal.any([signal, limit]) };
      const response = await fetch(target, body === undefined ? init : { ...init, body });
      return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
    } catch (error) {
      if (signal.reason instanceof Interrupted) throw method === 'GET' ? signal.reason : signal.reason.saying(`Interrupted; ${doubt}.`);
      throw whyUnreachable(error, target, method, calling);
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
      let refused: Failure | undefined;
      for (;;) {
        const reply = await exchange(target, method, headers, body === undefined ? undefined : JSON.stringify(body), limit).catch((error: unknown) => {
          // A read has nothing that could be in doubt; of a write that was sent once more nobody knows.
          throw method === 'GET' && limit.aborted && refused !== undefined ? refused : error;
        });
        if (reply.status === 200 && fieldOf(reply.body, 'success') === true) return fieldOf(reply.body, 'data');
        refused = refusal(reply, target);
        const waitMs = askedToWaitMs(reply, method, refused);
        if (waitMs === undefined || performance.now() + waitMs >= deadline) throw refused;
        await pause(waitMs, signal);
        // A timer may be late.
        if (performance.now() >= deadline) throw refused;
      }
    },
    readiness: async () => {
      const target = new URL(url.replace(/\/platform\/v1$/, '/readyz'));
      const reply = await exchange(target, 'GET', {}, undefined, AbortSignal.timeout(timeoutMs));
      if (typeof fieldOf(reply.body, 'status') !== 'string') throw refusal(reply, target);
      return { ready: reply.status === 200, said: reply.body };
    },
  };
}

/** Waits; an interruption ends the wait and is raised. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
